import {connectionFlags} from './flagGroups/connectionFlags.ts';
import {generalFlags, programFlags} from './flagGroups/generalFlags.ts';
import {scopeFlags} from './flagGroups/scopeFlags.ts';
import type {Candidates, FlagTable} from './flagSpec.ts';
import type {OutputFormat} from './outputFormat.ts';

/** The specification of a command, used for parsing, help, reference pages, completion and suggestions. */
export type CommandSpec = {
	readonly aliases: readonly string[];
	/** One line without a full stop. */
	readonly summary: string;
	/** Further lines of the help. */
	readonly description?: readonly string[];
	/** The words of its output and their meanings, as titled tables. */
	readonly legends?: readonly (readonly [title: string, words: Readonly<Record<string, string>>])[];
	/** The arguments after its name, without flags; one entry per form. */
	readonly usage: readonly string[];
	readonly examples: readonly (readonly [what: string, command: string])[];
	/** The values of `-o`; without any, it takes no `-o`. */
	readonly outputs: readonly Exclude<OutputFormat, 'table'>[];
	/** The schemas of its JSON: names in `docs/schema`. */
	readonly schemas?: readonly string[];
	/** Its flags, besides those of every command. */
	readonly flags: FlagTable;
	/** Completion of its arguments. */
	readonly completes?: Candidates;
	/** For a command that lists one kind: the fields of --field-selector. */
	readonly selectableFields?: readonly string[];
};

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

/** The flags of every command: help and connection. */
const globalFlags: FlagTable = {...generalFlags, ...connectionFlags};

/** The commands of a program: the basis for parsing, completion and help. */
export class CommandSet<Spec extends CommandSpec = CommandSpec> {
	/** All flags of all commands. A name has one meaning everywhere. */
	readonly flags: FlagTable;
	/** Names and aliases of all commands, and `get`. */
	readonly words: readonly string[];
	readonly #root: Spec;
	readonly #byName: Readonly<Record<CommandName, Spec>>;

	/** @param root runs without a command */
	constructor(root: Spec, byName: Readonly<Record<CommandName, Spec>>) {
		this.#root = root;
		this.#byName = byName;
		this.words = ['get', ...commandNames.flatMap((name) => [name, ...byName[name].aliases])];
		this.flags = Object.assign({}, ...[undefined, ...commandNames].map((name) => this.flagsOf(name)));
	}

	/** The specification of a command; of the program itself without one. */
	of(command: CommandName | undefined): Spec {
		return command === undefined ? this.#root : this.#byName[command];
	}

	/** The command of a name or an alias. */
	find(word: string): CommandName | undefined {
		return commandNames.find((name) => name === word || this.#byName[name].aliases.includes(word));
	}

	/** The flags of a command, or of the program. Includes scope flags that have no effect. */
	flagsOf(command: CommandName | undefined): FlagTable {
		return {...this.shownFlagsOf(command), ...scopeFlags};
	}

	/** Those with an effect. */
	shownFlagsOf(command: CommandName | undefined): FlagTable {
		return {
			...this.of(command).flags,
			...(command === undefined && programFlags),
			...globalFlags,
		};
	}

	taking(flag: string): readonly CommandName[] {
		return commandNames.filter((name) => Object.hasOwn(this.flagsOf(name), flag));
	}
}
