/** The specification of a flag, used for parsing, help, reference pages and completion. */
export type FlagSpec = Readonly<{
	type: 'string' | 'boolean';
	shortFlag?: string;
	/** May be repeated. */
	isMultiple?: true;
	/** A value may hold several, separated by commas. */
	isList?: true;
	/** The next argument is the value only if it matches this; otherwise the flag has none. */
	optionalValue?: RegExp;
	/** The allowed values. */
	choices?: readonly string[];
	/** For a boolean that is true by default. */
	isOnByDefault?: true;
	/** The default in kubectl's help. */
	shown?: string;
	/** Completion of its value; anything if absent. */
	completes?: Candidates;
	help: string;
}>;

type Kept<Type, More> = More & {readonly type: Type; readonly help: string};

/** A flag with a value. */
export const text = <const More extends Partial<FlagSpec> = Record<never, never>>(
	help: string,
	more?: More,
) => ({type: 'string', help, ...more}) as Kept<'string', More>;

/** A flag that is on or off. */
export const toggle = <const More extends Partial<FlagSpec> = Record<never, never>>(
	help: string,
	more?: More,
) => ({type: 'boolean', help, ...more}) as Kept<'boolean', More>;

export type FlagTable = Readonly<Record<string, FlagSpec>>;

/** Completion candidates: given words, or names to look up. */
export type Candidates =
	| readonly string[]
	/** Names in the cluster. */
	| 'pods'
	| 'nodes'
	| 'zones'
	| 'devices'
	| 'namespaces'
	/** `pod/NAME`, `node/NAME` and `zone/NAME`. */
	| 'targets'
	/** Names in the kubeconfig. */
	| 'contexts'
	| 'clusters'
	| 'users'
	/** Names of the program. */
	| 'commands'
	| 'outputs'
	| 'scenarios'
	| 'settings'
	/** `local`, `utc` and the names of the IANA database. */
	| 'timeZones'
	/** Completed by the shell. */
	| 'files'
	| 'folders';

// The value of `--node-eviction-rate` is in `nodeEvictionRate`.
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

/** Flag values; false, empty or undefined if not given. */
export type ValuesOf<Table> = {
	readonly [Name in keyof Table & string as Camel<Name>]: ValueOf<Table[Name]>;
};

/** The key of a flag's value: `nodeEvictionRate` for `node-eviction-rate`. */
export const camelCase = (name: string) =>
	name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
