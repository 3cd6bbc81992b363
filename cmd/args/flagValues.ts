import meow, {type AnyFlag, type Options} from 'meow';
import {camelCase, type FlagSpec, type FlagTable, type ValuesOf} from './flagSpec.ts';
import type {ArgumentList, FlagPair} from './kubectlGrammar.ts';
import {program} from './program.ts';
import {invalidValue} from './usageError.ts';

type Parsed<Table> = {
	readonly flags: ValuesOf<Table>;
	/** The arguments without flags. */
	readonly input: readonly string[];
	/** The help text to print. */
	readonly help: string;
};

/**
 * Passes flags and arguments to meow, which has types, defaults and choices in one table.
 *
 * @param flags must be in the table; non-repeatable ones at most once
 * @throws UserError for a value outside a flag's choices
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
		// Help and version are ordinary flags here: meow would print them and exit.
		...{autoHelp: false, autoVersion: false},
		...{help, helpIndent: 0, description: false as const},
		// Unless given, meow looks for a package.json.
		importMeta: import.meta,
		pkg: program,
	};
	try {
		const cli = meow(options);
		// meow puts an empty line before the help.
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

/** A form that meow parses alike in all cases; it removes the quotation marks. */
const longForm = ([name, value]: FlagPair): string => `--${name}="${value}"`;

/** meow's error for an unknown choice, in kubectl's words. */
function choiceError(table: FlagTable, flags: readonly FlagPair[]): Error | undefined {
	for (const [name, value] of flags) {
		const {choices} = table[name] ?? {};
		if (choices && !choices.includes(value))
			return invalidValue(name, value, `want one of ${choices.join(', ')}`);
	}
	return undefined;
}
