/** What one flag takes, and what help, the reference pages and completion say of it. */
export type FlagSpec = {
	readonly type: 'string' | 'boolean';
	readonly shortFlag?: string;
	/** May be given more than once. */
	readonly isMultiple?: true;
	/** One value may hold several, separated by commas. */
	readonly isList?: true;
	/** A following argument is taken as the value only where it looks like this; else the flag stands alone. */
	readonly optionalValue?: RegExp;
	/** The only values that it may have. */
	readonly choices?: readonly string[];
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

/** What the shell may be offered for a word: words that are known, or what must be looked for first. */
export type Candidates =
	| readonly string[]
	/** Of the cluster. */
	| 'pods'
	| 'nodes'
	| 'zones'
	| 'devices'
	| 'namespaces'
	/** `pod/NAME`, `node/NAME` and `zone/NAME`. */
	| 'targets'
	/** Of the kubeconfig. */
	| 'contexts'
	| 'clusters'
	| 'users'
	/** Of the program itself. */
	| 'commands'
	| 'outputs'
	| 'scenarios'
	| 'settings'
	/** `local`, `utc` and the names of the IANA database. */
	| 'timeZones'
	/** Of the file system: the shell knows them. */
	| 'files'
	| 'folders';

// `--node-eviction-rate` has its value in `nodeEvictionRate`.
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
	? `${Head}${Capitalize<Camel<Tail>>}`
	: Name;

type ValueOf<Spec> = Spec extends {type: 'boolean'}
	? boolean
	: Spec extends {isMultiple: true}
		? readonly string[]
		: Spec extends {choices: readonly (infer Choice extends string)[]}
			? Choice | undefined
			: string | undefined;

/** The values of flags: false, empty or undefined where one was not given. */
export type ValuesOf<Table> = {
	readonly [Name in keyof Table & string as Camel<Name>]: ValueOf<Table[Name]>;
};

/** The key of a flag's value: `nodeEvictionRate` for `node-eviction-rate`. */
export const camelCase = (name: string): string =>
	name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
