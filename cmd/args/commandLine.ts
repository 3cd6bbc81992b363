import {parseFieldSelector} from '../../src/core/selector/fieldSelector.ts';
import {parseLabelSelector} from '../../src/core/selector/labelSelector.ts';
import {SelectorError} from '../../src/core/selector/selectorError.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {parseTime} from '../../src/dates/parse.ts';
import {type TimeZone, utc} from '../../src/dates/timeZone.ts';
import type {CommandName, CommandSet, CommandSpec} from './commandSet.ts';
import {controllerOptions} from './controllerOptions.ts';
import {allFlags} from './flagGroups/commandFlags.ts';
import {parseArguments} from './flagValues.ts';
import {helpText} from './helpText.ts';
import {type ArgumentList, readArguments} from './kubectlGrammar.ts';
import type {Filter, FlagValues, Options} from './options.ts';
import {outputOf} from './outputFormat.ts';
import {listIn} from './quantities.ts';
import {
	type ListedKind,
	listedKindsOf,
	type NamedTarget,
	namesOf,
	namesTarget,
	targetOf,
	withoutNamespaces,
	workloadKindsOf,
} from './targets.ts';
import {timeZoneOf} from './timeZone.ts';
import {invalidValue, unknownCommand, usageError} from './usageError.ts';

/**
 * Parses a command line.
 *
 * @param preferredTimeZone used if no flag names a time zone
 * @throws UserError if it is invalid
 */
export function parseCommandLine(
	argv: readonly string[],
	commands: CommandSet,
	preferredTimeZone: TimeZone = utc,
): Options {
	const line = withoutNamespaces(readArguments(argv), commands);
	const {command, names, lists, workloadKinds = []} = requestOf(line.positionals, commands);
	const isGiven = (flag: string) => line.flags.some(([name, value]) => name === flag && value === 'true');
	if (isGiven('help')) return helpOptions(command, commands);
	if (isGiven('version')) return parseCommandLine(versionLine(line, commands), commands, preferredTimeZone);
	const spec = commands.of(command);
	rejectForeignFlags(line, command, commands);
	if (command === 'help') return helpOptions(helped(names, commands), commands);
	const {flags} = parseArguments(allFlags, line);
	rejectContradictions(flags, command, spec, names, lists.length > 1);
	const listed = lists.map(({kind, targets}) => ({
		kind,
		filter: filterOf(flags, commands.of(kind), targets, kind),
	}));
	const timeZone = flags.timeZone === undefined ? preferredTimeZone : timeZoneOf(flags.timeZone);
	return {
		...emptyOptions(flags),
		command,
		names,
		filter:
			(listed.find(({kind}) => kind === command) ?? listed[0])?.filter ?? filterOf(flags, spec, [], 'pods'),
		lists: listed,
		workloadKinds,
		...outputOf(flags, spec.outputs),
		at: instant(flags.at, timeZone),
		timeZone,
		controller: controllerOptions(flags),
	};
}

// --help wins over everything else on the line, even over errors.
function helpOptions(command: CommandName | undefined, commands: CommandSet): Options {
	const line = {flags: [], positionals: []};
	const {help, flags} = parseArguments(allFlags, line, helpText(command, commands));
	return {...emptyOptions(flags), command: 'help', names: command ? [command] : [], help};
}

function helped(names: readonly string[], commands: CommandSet): CommandName | undefined {
	const [word, ...rest] = names;
	if (rest.length > 0) throw usageError(`help takes one command, not ${names.length}`);
	const command = word === undefined ? undefined : commands.find(word);
	if (word !== undefined && command === undefined) throw unknownCommand(word, commands.words);
	return command;
}

/** The line of the command that `--version` stands for. */
function versionLine({flags}: ArgumentList, commands: CommandSet): readonly string[] {
	const known = flags.filter(([name]) => Object.hasOwn(commands.flagsOf('version'), name));
	return ['version', '--client', ...known.map(([name, value]) => `--${name}=${value}`)];
}

function emptyOptions(flags: FlagValues): Options {
	return {
		command: undefined,
		names: [],
		filter: {names: [], owners: [], verdicts: [], allNamespaces: false, all: false, ...anything},
		lists: [],
		workloadKinds: [],
		output: 'table',
		template: '',
		showHeaders: !flags.noHeaders,
		watch: flags.watch || flags.watchOnly,
		exitCode: flags.exitCode,
		filenames: flags.filename,
		at: undefined,
		timeZone: utc,
		config: undefined,
		controller: {asked: {versionFlag: undefined, flags: {}}, notes: []},
		help: '',
		flags,
	};
}

type Request = Readonly<{
	command: CommandName | undefined;
	names: readonly string[];
	lists: readonly {readonly kind: ListedKind; readonly targets: readonly NamedTarget[]}[];
	workloadKinds?: readonly string[];
}>;

// As in kubectl, `pods web-1`, `get pods web-1`, `pods pod/web-1` and `pod/web-1` all name one pod.
function requestOf(positionals: readonly string[], commands: CommandSet): Request {
	const isGet = positionals[0] === 'get';
	const [first, ...rest] = isGet ? positionals.slice(1) : positionals;
	if (first === undefined) return listRequest(isGet ? ['pods'] : [], []);
	const kinds = listedKindsOf(first);
	if (kinds.length > 0) return listRequest(kinds, rest);
	if (first.includes('/') && namesTarget(first)) return mixedRequest([first, ...rest]);
	const found = commands.find(first);
	// Events are listed by pod, so pod names may follow.
	if (found === 'events') return {command: found, names: [], lists: listRequest(['pods'], rest).lists};
	if (found === 'workloads') return workloadRequest(rest);
	if (workloadKindsOf(first).length > 0) return workloadRequest([first, ...rest]);
	const command = isGet ? undefined : found;
	if (command !== undefined) return {command, names: rest, lists: []};
	if (isGet)
		throw usageError(
			`cannot get ${JSON.stringify(first)}: want pods, nodes, zones, workloads, events, or KIND/NAME`,
		);
	throw unknownCommand(first, commands.words, rest);
}

/** `deploy,sts` lists workloads of these kinds; `deploy web` lists the one of that name. */
function workloadRequest(words: readonly string[]): Request {
	const [first = '', ...names] = words;
	const workloadKinds = workloadKindsOf(first);
	// A single kind stays with the names, so that no other kind's workload matches.
	const isSaid = workloadKinds.length === 0 || (workloadKinds.length === 1 && names.length > 0);
	return {command: 'workloads', names: isSaid ? words : names, lists: [], workloadKinds};
}

/** `pods,nodes web-1` looks up every name in each kind. */
function listRequest(kinds: readonly ListedKind[], names: readonly string[]): Request {
	const lists = kinds.map((kind) => ({kind, targets: names.map((name) => targetOf(name, kind))}));
	const stray = lists.find(({kind, targets}) => kind !== 'pods' && targets.some((one) => one.kind !== kind));
	if (stray) throw usageError(`only pods can be selected by their owner, not ${stray.kind}`);
	return requestFor(lists);
}

/** `pod/web-1 node/n1 deploy/web`: one list per kind; workloads stand for their pods. */
function mixedRequest(words: readonly string[]): Request {
	const targets = words.map((word) => targetOf(word, 'pods'));
	const groups = Map.groupBy(targets, ({kind}) => (kind === 'workload' ? 'pods' : kind));
	return requestFor([...groups].map(([kind, ofKind]) => ({kind, targets: ofKind})));
}

function requestFor(lists: Request['lists']): Request {
	const first = lists.find(({kind}) => kind === 'pods') ?? lists[0];
	return {command: first?.kind, names: first ? namesOf(first.kind, first.targets) : [], lists};
}

function rejectForeignFlags({flags}: ArgumentList, command: CommandName | undefined, commands: CommandSet) {
	const known = commands.flagsOf(command);
	const [foreign] = flags.find(([name]) => !Object.hasOwn(known, name)) ?? [];
	if (foreign === undefined) return;
	const owners = commands.taking(foreign);
	const follow =
		foreign === 'watch' ? '; to watch an outage on one page, open the dashboard: "kubectl evictwatch"' : '';
	const remedy = owners.length > 0 ? `; it belongs to ${owners.join(', ')}${follow}` : '';
	throw usageError(`unknown flag: --${foreign}${remedy}`);
}

function filterOf(
	flags: FlagValues,
	{selectableFields}: CommandSpec,
	targets: readonly NamedTarget[],
	kind: ListedKind,
): Filter {
	return {
		names: namesOf(kind, targets),
		owners: targets.filter((one) => one.kind !== kind),
		allNamespaces: flags.allNamespaces,
		verdicts: listIn(flags.verdict),
		all: flags.all,
		...(selectableFields ? selectors(flags, selectableFields) : anything),
		// Zones have no labels.
		...(kind === 'zones' && {labels: anything.labels}),
	};
}

/** Where selectors cannot apply, they are accepted and ignored. */
const anything = {labels: () => true, fields: () => true} as const;

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
	{selectableFields, completes}: CommandSpec,
	names: readonly string[],
	isOfSeveralKinds: boolean,
) {
	const isOfObjects = selectableFields !== undefined && completes !== 'files';
	const hasNames = names.length > 0;
	const watches = flags.watch || flags.watchOnly;
	const isReplay = command === 'replay';
	if (flags.filename.includes(''))
		throw invalidValue('filename', '', 'want a file, a folder, or - for standard input');
	const contradictions: Readonly<Record<string, boolean>> = {
		'name cannot be provided when a selector is specified':
			hasNames && isOfObjects && Boolean(flags.selector || flags.fieldSelector),
		'a resource cannot be retrieved by name across all namespaces':
			hasNames && flags.allNamespaces && command === 'pods',
		'--at needs --filename: a cluster can only be seen as it is':
			flags.at !== undefined && flags.filename.length === 0 && !isReplay,
		'--output-watch-events option can only be used with --watch or --watch-only':
			flags.outputWatchEvents && !watches && !isReplay,
		'you may only specify a single resource type with --watch': isOfSeveralKinds && watches,
		'--exit-code needs a command that ends: it cannot be used with --watch': flags.watch && flags.exitCode,
	};
	const found = Object.keys(contradictions).find((words) => contradictions[words]);
	if (found !== undefined) throw usageError(found);
}

function instant(text: string | undefined, zone: TimeZone): Instant | undefined {
	if (text === undefined) return undefined;
	const at = parseTime(text, zone);
	if (at === undefined) throw invalidValue('at', text, 'want a time such as 2026-01-31T14:07:31Z');
	return at;
}
