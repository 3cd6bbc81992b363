import meow, {type AnyFlag, type Options} from 'meow';
import {camelCase, type FlagSpec, type FlagTable, type ValuesOf} from './flagSpec.ts';
import type {ArgumentList, FlagPair} from './kubectlGrammar.ts';
import {program} from './program.ts';
import {invalidValue} from './usageError.ts';

/** A command line as meow reads it. */
type Parsed<Table> = {
	readonly flags: ValuesOf<Table>;
	/** The arguments that are no flags. */
	readonly input: readonly string[];
	/** The help text as it is printed. */
	readonly help: string;
};

/**
 * Gives the flags and arguments of a command line to meow, which knows their types, defaults and choices from one table.
 *
 * @param flags of the table; those that do not repeat at most once
 * @throws UserError where a flag has a value that is not one of its choices
 */
export function parseArguments<Table extends FlagTable>(
	table: Table,
	{flags, positionals}: ArgumentList,
	help = '',
): Parsed<Table> {
	const specs = Object.entries(table).map(([name, spec]) => [camelCase(name), meowFlag(spec)] as const);
	const options: Options<Record<string, AnyFlag>> = {
		argv: [...flags.map(longForm), '--', ...positionals],
		flags: Object.fromEntries(specs),
		// Our own help and version are flags of the table: meow would print them, and end the process.
		...{autoHelp: false, autoVersion: false},
		...{help, helpIndent: 0, description: false as const},
		// It would look for a package.json from there, were it not given.
		importMeta: import.meta,
		pkg: program,
	};
	try {
		const cli = meow(options);
		// Before the text of its help, meow leaves a line free.
		return {flags: cli.flags as ValuesOf<Table>, input: cli.input, help: cli.help.slice(1)};
	} catch (error) {
		throw choiceError(table, flags) ?? error;
	}
}

function meowFlag({type, isMultiple, isOnByDefault, choices}: FlagSpec): AnyFlag {
	if (type === 'boolean') return {type, default: isOnByDefault === true};
	if (isMultiple) return {type, isMultiple};
	return {type, ...(choices && {choices: [...choices]})};
}

/** A flag in the form that meow reads alike in all cases: it takes the quotation marks off again. */
const longForm = ([name, value]: FlagPair): string => `--${name}="${value}"`;

/** What meow throws of a choice that there is not, in kubectl's words. */
function choiceError(table: FlagTable, flags: readonly FlagPair[]): Error | undefined {
	for (const [name, value] of flags) {
		const {choices} = table[name] ?? {};
		if (choices && !choices.includes(value))
			return invalidValue(name, value, `want one of ${choices.join(', ')}`);
	}
	return undefined;
}
