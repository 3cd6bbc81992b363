import type {Candidates} from './candidates.ts';
import type {FlagTable} from './flagSpec.ts';
import type {OutputFormat} from './options.ts';

/** All there is to know of one command: parsing, help, the reference page, completion and suggestions follow from it. */
export type CommandSpec = {
	readonly aliases: readonly string[];
	/** What it does, in one line without a full stop. */
	readonly summary: string;
	/** What else there is to say, as lines of text. */
	readonly description?: readonly string[];
	/** What may follow its name, flags left out: each a way to call it. */
	readonly usage: readonly string[];
	readonly examples: readonly (readonly [what: string, command: string])[];
	/** What `-o` may say; it takes no `-o` where this is empty. */
	readonly outputs: readonly Exclude<OutputFormat, 'table'>[];
	/** The schemas of its JSON, by their names in `docs/schema`. */
	readonly schemas?: readonly string[];
	/** The flags that it takes, besides those that every command takes. */
	readonly flags: FlagTable;
	/** What its arguments may be. */
	readonly completes?: Candidates;
};
