import {parseFieldSelector} from '../../src/core/selector/fieldSelector.ts';
import {parseLabelSelector} from '../../src/core/selector/labelSelector.ts';
import {SelectorError} from '../../src/core/selector/selectorError.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {parseTime} from '../../src/dates/parse.ts';
import {type TimeZone, utc} from '../../src/dates/timeZone.ts';
import {type FlagPair, readArguments} from './argumentList.ts';
import {type CommandName, findCommand} from './commandTable.ts';
import {controllerOptions} from './controllerOptions.ts';
import {commandsWith, flagsOf} from './flagTable.ts';
import {type FlagValues, flagValues} from './flagValues.ts';
import type {Filter, Options} from './options.ts';
import {outputOf} from './outputFormat.ts';
import {timeZoneOf} from './timeZone.ts';
import {invalidValue, unknownCommand, usageError} from './usageError.ts';

const selectableFields: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
	pods: ['metadata.name', 'metadata.namespace', 'spec.nodeName'],
	nodes: ['metadata.name'],
	zones: ['metadata.name'],
};

/**
 * Understands a command line.
 *
 * @param preferredTimeZone finds the zone where no flag names one
 * @throws UserError where it cannot be understood.
 */
export function parseCommandLine(
	argv: readonly string[],
	preferredTimeZone: () => TimeZone = () => utc,
): Options {
	const {flags: spelt, positionals} = readArguments(argv);
	const flags = flagValues(spelt);
	const {command, names} = commandAndNames(positionals);
	if (flags.help) return {...emptyOptions(flags), command: 'help', names: command ? [command] : []};
	if (flags.version) {
		return {...emptyOptions({...flags, client: true}), command: 'version', ...outputOf(flags, 'version')};
	}
	rejectForeignFlags(spelt, command);
	rejectContradictions(flags, command, names);
	const timeZone = flags.timeZone === undefined ? preferredTimeZone() : timeZoneOf(flags.timeZone);
	return {
		...emptyOptions(flags),
		command,
		names,
		filter: filterOf(flags, command ?? 'pods', names),
		...outputOf(flags, command),
		at: instant(flags.at, timeZone),
		timeZone,
		controller: controllerOptions(flags),
	};
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
		controller: {kubernetesVersion: undefined, settings: {}, notes: []},
		flags,
	};
}

// As with kubectl, `pods web-1`, `pods pod/web-1` and `pod/web-1` all name one pod.
function commandAndNames(positionals: readonly string[]) {
	const [first, ...rest] = positionals;
	if (first === undefined) return {command: undefined, names: []};
	const [word = '', ...name] = first.split('/');
	const command = findCommand(word);
	if (command === undefined || (name.length > 0 && !isListing(command))) throw unknownCommand(first);
	const names = (name.length > 0 ? [name.join('/'), ...rest] : rest).map((text) =>
		isListing(command) ? withoutKind(text, command) : text,
	);
	return {command, names};
}

const isListing = (command: CommandName): boolean => Object.hasOwn(selectableFields, command);

// The name of a zone holds a slash itself, so only what names the command's own kind is cut off.
function withoutKind(text: string, command: CommandName): string {
	const slash = text.indexOf('/');
	const name = slash > 0 && findCommand(text.slice(0, slash)) === command ? text.slice(slash + 1) : text;
	if (command !== 'zones' && name.includes('/')) {
		const isKind = slash > 0 && findCommand(text.slice(0, slash)) !== undefined;
		const remedy = isKind ? 'each kind has its own command' : 'a namespace is chosen with --namespace';
		throw usageError(`"${text}" is no name of a ${command.slice(0, -1)}; ${remedy}`);
	}
	return name;
}

function rejectForeignFlags(spelt: readonly FlagPair[], command: CommandName | undefined): void {
	const known = flagsOf(command);
	const [foreign] = spelt.find(([name]) => !Object.hasOwn(known, name)) ?? [];
	if (foreign === undefined) return;
	throw usageError(`unknown flag: --${foreign}; it belongs to ${commandsWith(foreign).join(', ')}`);
}

function filterOf(flags: FlagValues, command: CommandName, names: readonly string[]): Filter {
	return {
		names: isListing(command) ? names : [],
		allNamespaces: flags.allNamespaces,
		all: flags.all,
		...selectors(flags, selectableFields[command] ?? []),
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

function rejectContradictions(flags: FlagValues, command: CommandName | undefined, names: readonly string[]) {
	if (names.length > 0 && command !== 'replay' && (flags.selector || flags.fieldSelector)) {
		throw usageError('name cannot be provided when a selector is specified');
	}
	// What these name is a file.
	const namesFile = command === 'record' || command === 'replay' || command === 'report';
	if (names.length > 0 && flags.allNamespaces && !namesFile) {
		throw usageError('a resource cannot be retrieved by name across all namespaces');
	}
	const themes = ['dark', 'light', 'high-contrast'];
	if (flags.theme !== undefined && !themes.includes(flags.theme)) {
		throw invalidValue('theme', flags.theme, `want one of ${themes.join(', ')}`);
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
