import type {Candidates} from './candidates.ts';

/** What one flag takes, and what help, the reference pages and completion say of it. */
export type FlagSpec = {
	readonly type: 'string' | 'boolean';
	readonly shortFlag?: string;
	/** May be given more than once. */
	readonly isMultiple?: boolean;
	/** A following argument is taken as the value only where it looks like this; else the flag stands alone. */
	readonly optionalValue?: RegExp;
	/** Of a boolean that is true unless it is turned off. */
	readonly isOnByDefault?: true;
	/** The default as kubectl's help shows it. */
	readonly shown?: string;
	/** What its value may be; anything, where it is absent. */
	readonly completes?: Candidates;
	readonly help: string;
};

/** Flags by their names on the command line. */
export type FlagTable = Readonly<Record<string, FlagSpec>>;
