import {connectionFlags} from './flagGroups/connectionFlags.ts';
import {generalFlags, programFlags} from './flagGroups/generalFlags.ts';
import {scopeFlags} from './flagGroups/scopeFlags.ts';
import type {Candidates, FlagTable} from './flagSpec.ts';
import type {OutputFormat} from './outputFormat.ts';

/** All there is to know of one command: parsing, help, the reference page, completion and suggestions follow from it. */
export type CommandSpec = {
	readonly aliases: readonly string[];
	/** What it does, in one line without a full stop. */
	readonly summary: string;
	/** What else there is to say, as lines of text. */
	readonly description?: readonly string[];
	/** The words of its output, and what each means: a title and a row for each. */
	readonly legends?: readonly (readonly [title: string, words: Readonly<Record<string, string>>])[];
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
	/** Of a command that lists objects of one kind: the fields by which they can be selected. */
	readonly selectableFields?: readonly string[];
};

/** The names of all commands, in the order of the help text. */
export const commandNames = [
	'demo',
	'status',
	'pods',
	'explain',
	'rescue',
	'what-if',
	'workloads',
	'nodes',
	'zones',
	'events',
	'clusters',
	'pressure',
	'settings',
	'record',
	'replay',
	'report',
	'shadow',
	'completion',
	'version',
	'options',
	'help',
] as const;

export type CommandName = (typeof commandNames)[number];

/** What every command takes and shows: help, and where the cluster is. */
const globalFlags: FlagTable = {...generalFlags, ...connectionFlags};

/** The commands of a program, by which a command line is read, completed and explained. */
export class CommandSet<Spec extends CommandSpec = CommandSpec> {
	/** Every flag of every command: a name means the same wherever it is taken. */
	readonly flags: FlagTable;
	/** The names and the aliases of all commands, and `get`, which may stand before what is listed. */
	readonly words: readonly string[];
	readonly #root: Spec;
	readonly #byName: Readonly<Record<CommandName, Spec>>;

	/** @param root what runs where no command is named */
	constructor(root: Spec, byName: Readonly<Record<CommandName, Spec>>) {
		this.#root = root;
		this.#byName = byName;
		this.words = ['get', ...commandNames.flatMap((name) => [name, ...byName[name].aliases])];
		this.flags = Object.assign({}, ...[undefined, ...commandNames].map((name) => this.flagsOf(name)));
	}

	/** What is known of a command; of the program itself, where none is named. */
	of(command: CommandName | undefined): Spec {
		return command === undefined ? this.#root : this.#byName[command];
	}

	/** The command that a word names, by its name or an alias. */
	find(word: string): CommandName | undefined {
		return commandNames.find((name) => name === word || this.#byName[name].aliases.includes(word));
	}

	/** The flags that a command takes; those of the program where none is named. Scopes that cannot matter are taken, too. */
	flagsOf(command: CommandName | undefined): FlagTable {
		return {...this.shownFlagsOf(command), ...scopeFlags};
	}

	/** Those of them that mean something to it. */
	shownFlagsOf(command: CommandName | undefined): FlagTable {
		return {
			...this.of(command).flags,
			...(command === undefined && programFlags),
			...globalFlags,
		};
	}

	/** The commands that take a flag. */
	taking(flag: string): readonly CommandName[] {
		return commandNames.filter((name) => Object.hasOwn(this.flagsOf(name), flag));
	}
}
