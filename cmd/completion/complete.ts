import type {NameSource} from '../../src/cluster/names.ts';
import {timeZoneNames} from '../../src/dates/timeZone.ts';
import {commandNames} from '../args/commandSet.ts';
import {commands} from '../commands/commandTable.ts';
import type {Terminal} from '../output/terminal.ts';
import {flagCandidates, type PartialLine, readPartialLine} from './partialLine.ts';

/** A candidate and its description. */
type Offer = {readonly text: string; readonly meaning?: string | undefined};

/** What the shell does besides, by the numbers of kubectl's completion scripts. */
const directives = {files: 0, noFiles: 4, folders: 16} as const;

/** Finds names in a cluster or a kubeconfig. Returns none after an error or the deadline. */
type FindNames = (source: NameSource, line: PartialLine) => Promise<readonly string[]>;

/**
 * Completes a command line by the protocol of kubectl's plugins: one candidate a line with its description after a tab;
 * the last line holds the directive. Never fails.
 */
export async function complete(
	words: readonly string[],
	terminal: Terminal,
	find: FindNames,
): Promise<number> {
	const line = readPartialLine(words.slice(0, -1), words.at(-1) ?? '');
	const {offers, directive} = await offersFor(line, find);
	const lines = offers.map(({text, meaning}) => (meaning ? `${text}\t${meaning}` : text));
	await terminal.print([...lines, `:${directive}`, ''].join('\n'));
	return 0;
}

async function offersFor(line: PartialLine, find: FindNames) {
	const {wanted} = line;
	switch (wanted.type) {
		case 'nothing':
			return {offers: [], directive: directives.noFiles};
		case 'flag':
			return {offers: flagOffers(line, wanted.start), directive: directives.noFiles};
		case 'value': {
			if (wanted.of === 'files' || wanted.of === 'folders')
				return {offers: [], directive: directives[wanted.of]};
			const all = await values(wanted.of, line, find);
			const offers = all
				.filter(({text}) => text.startsWith(wanted.start) && !line.names.includes(text))
				.map(({text, meaning}) => ({text: wanted.prefix + text, meaning}));
			return {offers, directive: directives.noFiles};
		}
	}
}

// A lone dash may begin a short or a long flag; anything longer is a long one.
function flagOffers(line: PartialLine, start: string): Offer[] {
	return flagCandidates(line)
		.flatMap(([name, {shortFlag, help}]) => [
			...(shortFlag && start === '-' ? [{text: `-${shortFlag}`, meaning: help}] : []),
			{text: `--${name}`, meaning: help},
		])
		.filter(({text}) => text.startsWith(start));
}

async function values(
	of: Exclude<Extract<PartialLine['wanted'], {type: 'value'}>['of'], 'files' | 'folders'>,
	line: PartialLine,
	find: FindNames,
): Promise<Offer[]> {
	const offered = (texts: readonly string[]) => texts.map((text) => ({text}));
	switch (of) {
		case 'commands':
			return commandNames.map((name) => ({text: name, meaning: commands.of(name).summary}));
		case 'outputs':
			return offered(commands.of(line.command).outputs);
		case 'scenarios': {
			const {scenarios} = await import('../../src/demo/world/scenarios.ts');
			return scenarios.map(({name, title}) => ({text: name, meaning: title}));
		}
		case 'settings': {
			const {settingNames} = await import('./settingNames.ts');
			return offered(settingNames());
		}
		case 'timeZones':
			return offered(['local', 'utc', ...timeZoneNames()]);
		case 'targets':
			return targets(line, find);
		case 'pods':
		case 'nodes':
		case 'zones':
		case 'namespaces':
		case 'devices':
		case 'contexts':
		case 'clusters':
		case 'users':
			return offered(await plainNames(of, line, find));
		default:
			return offered(of);
	}
}

// Shells insert a name unquoted, so names with special characters are left out: `<none>`.
const plainNames: (source: NameSource, line: PartialLine, find: FindNames) => Promise<readonly string[]> =
	async (source, line, find) => (await find(source, line)).filter((name) => /^[\w./:@-]+$/.test(name));

const kinds = {'pod/': 'pods', 'node/': 'nodes', 'zone/': 'zones'} as const;

// `explain po` offers kinds and pod names; names of other kinds follow once the kind is typed.
async function targets(line: PartialLine, find: FindNames): Promise<Offer[]> {
	const start = line.wanted.type === 'value' ? line.wanted.start : '';
	for (const [prefix, source] of Object.entries(kinds)) {
		if (!start.startsWith(prefix)) continue;
		return (await plainNames(source, line, find)).map((name) => ({text: prefix + name}));
	}
	const pods = start.includes('/') ? [] : await plainNames('pods', line, find);
	return [...Object.keys(kinds), ...pods].map((text) => ({text}));
}
