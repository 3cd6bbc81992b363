import meow, {type AnyFlag, type Options} from 'meow';
import {camelCase, type FlagSpec, type FlagTable, type ValuesOf} from './flagSpec.ts';
import type {ArgumentList, FlagPair} from './kubectlGrammar.ts';
import {program} from './program.ts';
import {invalidValue} from './usageError.ts';

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
) {
	// meow takes long for a hundred flags: it gets those of the line.
	const given = Object.entries(table).filter(([name]) => flags.some(([other]) => other === name));
	const specs = given.map(([name, spec]) => [camelCase(name), meowFlag(spec)] as const);
	const options: Options<Record<string, AnyFlag>> = {
		argv: [...flags.map(longForm), '--', ...positionals],
		flags: Object.fromEntries(specs),
		// Help and version are ordinary flags here: meow would print them and exit.
		autoHelp: false,
		autoVersion: false,
		help,
		helpIndent: 0,
		description: false,
		// Unless given, meow looks for a package.json.
		importMeta: import.meta,
		pkg: program,
	};
	try {
		const cli = meow(options);
		// meow puts an empty line before the help.
		const values = {...absentValues(table), ...cli.flags} as ValuesOf<Table>;
		return {flags: values, input: cli.input, help: cli.help.slice(1)};
	} catch (error) {
		throw choiceError(table, flags) ?? error;
	}
}

/** Flag values of an empty command line. */
const absentValues = (table: FlagTable) =>
	Object.fromEntries(
		Object.entries(table).map(([name, {type, isMultiple, isOnByDefault}]) => [
			camelCase(name),
			type === 'boolean' ? isOnByDefault === true : isMultiple ? [] : undefined,
		]),
	);

function meowFlag({type, isMultiple, choices}: FlagSpec): AnyFlag {
	if (type === 'boolean') return {type};
	if (isMultiple) return {type, isMultiple};
	return {type, ...(choices && {choices: [...choices]})};
}

/** A form that meow parses alike in all cases; it removes the quotation marks. */
const longForm = ([name, value]: FlagPair) => `--${name}="${value}"`;

/** meow's error for an unknown choice, in kubectl's words. */
function choiceError(table: FlagTable, flags: readonly FlagPair[]): Error | undefined {
	for (const [name, value] of flags) {
		const {choices} = table[name] ?? {};
		if (choices && !choices.includes(value))
			return invalidValue(name, value, `want one of ${choices.join(', ')}`);
	}
	return undefined;
}
