import {parseFieldSelector} from '../../src/core/selector/fieldSelector.ts';
import {parseLabelSelector} from '../../src/core/selector/labelSelector.ts';
import {SelectorError} from '../../src/core/selector/selectorError.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {parseTime} from '../../src/dates/parse.ts';
import {type TimeZone, utc} from '../../src/dates/timeZone.ts';
import type {CommandName, CommandSet, CommandSpec} from './commandSet.ts';
import {controllerOptions} from './controllerOptions.ts';
import {camelCase, type FlagTable} from './flagSpec.ts';
import {parseArguments} from './flagValues.ts';
import {helpText} from './helpText.ts';
import {type ArgumentList, readArguments} from './kubectlGrammar.ts';
import type {Filter, FlagValues, Options} from './options.ts';
import {outputOf} from './outputFormat.ts';
import {timeZoneOf} from './timeZone.ts';
import {invalidValue, unknownCommand, usageError} from './usageError.ts';

/**
 * Understands a command line.
 *
 * @param preferredTimeZone the zone where no flag names one
 * @throws UserError where it cannot be understood.
 */
export function parseCommandLine(
	argv: readonly string[],
	commands: CommandSet,
	preferredTimeZone: TimeZone = utc,
): Options {
	const line = readArguments(argv, commands.flags);
	const {command, names} = commandAndNames(line.positionals, commands);
	const isGiven = (flag: string) => line.flags.some(([name, value]) => name === flag && value === 'true');
	if (isGiven('help')) return helpOptions(command, commands);
	if (isGiven('version')) return versionOptions(line, commands);
	const spec = commands.of(command);
	rejectForeignFlags(line, command, commands);
	if (command === 'help') return helpOptions(helped(names, commands), commands);
	const flags = {...absentValues(commands.flags), ...parseArguments(commands.flagsOf(command), line).flags};
	rejectContradictions(flags, command, spec, names);
	const timeZone = flags.timeZone === undefined ? preferredTimeZone : timeZoneOf(flags.timeZone);
	return {
		...emptyOptions(flags),
		command,
		names,
		filter: filterOf(flags, spec, names),
		...outputOf(flags, spec.outputs),
		at: instant(flags.at, timeZone),
		timeZone,
		controller: controllerOptions(flags),
	};
}

/** The values of flags of which none is given. */
function absentValues(table: FlagTable): FlagValues {
	const absent = Object.entries(table).map(([name, {type, isMultiple, isOnByDefault}]) => [
		camelCase(name),
		type === 'boolean' ? isOnByDefault === true : isMultiple ? [] : undefined,
	]);
	return Object.fromEntries(absent);
}

// Whatever else the line says: who asks for help may not know yet what makes sense.
function helpOptions(command: CommandName | undefined, commands: CommandSet): Options {
	const line = {flags: [], positionals: []};
	const {help} = parseArguments(commands.flagsOf(command), line, helpText(command, commands));
	const names = command ? [command] : [];
	return {...emptyOptions(absentValues(commands.flags)), command: 'help', names, help};
}

function helped(names: readonly string[], commands: CommandSet): CommandName | undefined {
	const [word, ...rest] = names;
	if (rest.length > 0) throw usageError(`help tells of one command, not ${names.length}`);
	const command = word === undefined ? undefined : commands.find(word);
	if (word !== undefined && command === undefined) throw unknownCommand(word, commands.words);
	return command;
}

function versionOptions({flags}: ArgumentList, commands: CommandSet): Options {
	const table = commands.flagsOf('version');
	const known = flags.filter(([name]) => Object.hasOwn(table, name));
	const line: ArgumentList = {flags: [...known, ['client', 'true']], positionals: []};
	const values = {...absentValues(commands.flags), ...parseArguments(table, line).flags};
	return {...emptyOptions(values), command: 'version', ...outputOf(values, commands.of('version').outputs)};
}

function emptyOptions(flags: FlagValues): Options {
	return {
		command: undefined,
		names: [],
		filter: {names: [], allNamespaces: false, all: false, labels: () => true, fields: () => true},
		output: 'table',
		template: '',
		showHeaders: !flags.noHeaders,
		watch: flags.watch || flags.watchOnly,
		exitCode: flags.exitCode,
		filenames: flags.filename,
		at: undefined,
		timeZone: utc,
		config: undefined,
		controller: {kubernetesVersion: undefined, settings: {}, notes: []},
		help: '',
		flags,
	};
}

// As with kubectl, `pods web-1`, `pods pod/web-1` and `pod/web-1` all name one pod.
function commandAndNames(positionals: readonly string[], commands: CommandSet) {
	const [first, ...rest] = positionals;
	if (first === undefined) return {command: undefined, names: []};
	const [word = '', ...name] = first.split('/');
	const command = commands.find(word);
	if (command === undefined || (name.length > 0 && !isListing(commands.of(command))))
		throw unknownCommand(first, commands.words);
	const names = (name.length > 0 ? [name.join('/'), ...rest] : rest).map((text) =>
		isListing(commands.of(command)) ? withoutKind(text, command, commands) : text,
	);
	return {command, names};
}

const isListing = ({selectableFields}: CommandSpec): boolean => selectableFields !== undefined;

// The name of a zone holds a slash itself, so only what names the command's own kind is cut off.
function withoutKind(text: string, command: CommandName, commands: CommandSet): string {
	const slash = text.indexOf('/');
	const kind = slash > 0 ? commands.find(text.slice(0, slash)) : undefined;
	const name = kind === command ? text.slice(slash + 1) : text;
	if (command !== 'zones' && name.includes('/')) {
		const remedy = kind ? 'each kind has its own command' : 'a namespace is chosen with --namespace';
		throw usageError(`"${text}" is no name of a ${command.slice(0, -1)}; ${remedy}`);
	}
	return name;
}

function rejectForeignFlags({flags}: ArgumentList, command: CommandName | undefined, commands: CommandSet) {
	const known = commands.flagsOf(command);
	const [foreign] = flags.find(([name]) => !Object.hasOwn(known, name)) ?? [];
	if (foreign === undefined) return;
	const owners = commands.taking(foreign);
	const remedy = owners.length > 0 ? `; it belongs to ${owners.join(', ')}` : '';
	throw usageError(`unknown flag: --${foreign}${remedy}`);
}

function filterOf(flags: FlagValues, spec: CommandSpec, names: readonly string[]): Filter {
	return {
		names: isListing(spec) ? names : [],
		allNamespaces: flags.allNamespaces,
		all: flags.all,
		...selectors(flags, spec.selectableFields ?? []),
	};
}

function selectors({selector = '', fieldSelector = ''}: FlagValues, selectable: readonly string[]) {
	try {
		return {
			labels: parseLabelSelector(selector),
			fields: parseFieldSelector(fieldSelector, (path) => selectable.includes(path)),
		};
	} catch (error) {
		if (!(error instanceof SelectorError)) throw error;
		const isUnknownField = selectable.length > 0 && error.field !== undefined;
		throw usageError(error.message + (isUnknownField ? `; known here: ${selectable.join(', ')}` : ''));
	}
}

function rejectContradictions(
	flags: FlagValues,
	command: CommandName | undefined,
	{completes}: CommandSpec,
	names: readonly string[],
) {
	if (names.length > 0 && command !== 'replay' && (flags.selector || flags.fieldSelector)) {
		throw usageError('name cannot be provided when a selector is specified');
	}
	if (names.length > 0 && flags.allNamespaces && completes !== 'files') {
		throw usageError('a resource cannot be retrieved by name across all namespaces');
	}
	if (command === 'zones' && flags.selector) throw usageError('zones have no labels to select');
	if (flags.at !== undefined && flags.filename.length === 0 && command !== 'replay') {
		throw usageError('--at needs --filename: a cluster can only be seen as it is');
	}
	if (flags.filename.includes('')) {
		throw invalidValue('filename', '', 'want a file, a folder, or - for standard input');
	}
	if (flags.outputWatchEvents && !flags.watch && !flags.watchOnly && command !== 'replay') {
		throw usageError('--output-watch-events option can only be used with --watch or --watch-only');
	}
	if (flags.watch && flags.exitCode) {
		throw usageError('--exit-code needs a command that ends: it cannot be used with --watch');
	}
}

function instant(text: string | undefined, zone: TimeZone): Instant | undefined {
	if (text === undefined) return undefined;
	const at = parseTime(text, zone);
	if (at === undefined) throw invalidValue('at', text, 'want a time such as 2026-01-31T14:07:31Z');
	return at;
}
