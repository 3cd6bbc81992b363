import type {TextMap} from '../../src/text/textMap.ts';
import {allFlags, generalFlags, programFlags, scopeFlags} from './flagGroups/commandFlags.ts';
import {connectionFlags} from './flagGroups/connectionFlags.ts';
import type {Candidates, FlagTable} from './flagSpec.ts';
import type {OutputFormat} from './outputFormat.ts';

/** The specification of a command, used for parsing, help, reference pages, completion and suggestions. */
export type CommandSpec = Readonly<{
	aliases?: readonly string[];
	/** One line without a full stop. */
	summary: string;
	/** Further lines of the help. */
	description?: readonly string[];
	/** The words of its output and their meanings, as titled tables. */
	legends?: readonly (readonly [title: string, words: TextMap])[];
	/** The arguments after its name, without flags; one entry per form. */
	usage: readonly string[];
	examples?: readonly (readonly [what: string, command: string])[];
	/** The values of `-o`; without any, it takes no `-o`. */
	outputs?: readonly Exclude<OutputFormat, 'table'>[];
	/** The schemas of its JSON: names in `docs/schema`. */
	schemas?: readonly string[];
	/** Its flags, besides those of every command. */
	flags: FlagTable;
	/** Completion of its arguments. */
	completes?: Candidates;
	/** For a command that lists one kind: the fields of --field-selector. */
	selectableFields?: readonly string[];
}>;

export type SpecLists = Required<Pick<CommandSpec, 'aliases' | 'examples' | 'outputs'>>;

const withoutLists: SpecLists = {aliases: [], examples: [], outputs: []};

/** The name of a command: a key of the table of commands. */
export type CommandName = string;

/** The flags of every command: help and connection. */
const globalFlags: FlagTable = {...generalFlags, ...connectionFlags};

export type CommandSet<Spec extends CommandSpec = CommandSpec> = ReturnType<typeof commandSet<Spec>>;

/** The commands of a program: the basis for parsing, completion and help. @param root runs without a command */
export function commandSet<Spec extends CommandSpec>(
	root: Spec,
	byName: Readonly<Record<CommandName, Spec>>,
) {
	/** The specification of a command; of the program itself without one. */
	const of = (command: CommandName | undefined) => {
		const spec = command === undefined ? root : byName[command];
		if (!spec) throw new Error(`there is no command ${command}`);
		return {...withoutLists, ...spec};
	};

	/** Those with an effect. */
	const shownFlagsOf = (command: CommandName | undefined): FlagTable => ({
		...of(command).flags,
		...(command === undefined && programFlags),
		...globalFlags,
	});

	/** The flags of a command, or of the program. Includes scope flags that have no effect. */
	const flagsOf = (command: CommandName | undefined): FlagTable => ({
		...shownFlagsOf(command),
		...scopeFlags,
	});

	const names = Object.keys(byName);
	return {
		of,
		flagsOf,
		shownFlagsOf,
		flags: allFlags as FlagTable,
		/** In the order of the help. */
		names,
		/** Names and aliases of all commands, and `get`. */
		words: ['get', ...names.flatMap((name) => [name, ...of(name).aliases])],
		/** The command of a name or an alias. */
		find: (word: string): CommandName | undefined =>
			names.find((name) => name === word || of(name).aliases.includes(word)),
		taking: (flag: string) => names.filter((name) => Object.hasOwn(flagsOf(name), flag)),
	};
}
