import type {NameSource} from '../../src/cluster/names.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {timeZoneNames} from '../../src/dates/timeZone.ts';
import type {CommandName} from '../args/commandSet.ts';
import type {Candidates, FlagSpec} from '../args/flagSpec.ts';
import {tokensOf} from '../args/kubectlGrammar.ts';
import {pluralOf} from '../args/targets.ts';
import {commands} from '../commands/commandTable.ts';
import type {Terminal} from '../output/terminal.ts';

/** What the word under the cursor may become: `start` is its typed part, after `prefix`. Nothing known if `of` is undefined. */
type Wanted = {
	readonly of: Candidates | 'flags' | undefined;
	readonly prefix: string;
	readonly start: string;
};

/** An unfinished command line. */
export type PartialLine = ReturnType<typeof readPartialLine>;

/** Parses a command line up to the cursor as far as possible; `last` is the word under the cursor. */
function readPartialLine(before: readonly string[], last: string) {
	const tokens = [...tokensOf(before)];
	const words = tokens.flatMap((token) => (token.type === 'argument' ? token.text : []));
	const [first, ...names] = words[0] === 'get' ? words.slice(1) : words;
	const command = first === undefined ? undefined : commands.find(first.split('/')[0] ?? '');
	const flags = tokens.flatMap((token) => (token.type === 'flag' ? token : []));
	const unfinished = tokens.find((token) => token.type === 'unfinished');
	const pending = unfinished && commands.flags[unfinished.name];
	const isFlag = last.startsWith('-') && !before.includes('--');
	const wanted = pending
		? valueFor(pending, last)
		: isFlag
			? flagOrValue(last)
			: argument(first, command, last);
	return {
		command,
		/** The arguments before the cursor, without the command. */
		names,
		/** The names of the flags before the cursor. */
		given: flags.map(nameOf),
		/** The same with their values, in long form. */
		whole: flags.map(({name, value}) => `--${name}=${value}`),
		wanted,
	};
}

/** A word of which the part from an index on is completed. */
const wantedFrom = (of: Wanted['of'], word: string, from = 0): Wanted => ({
	of,
	prefix: word.slice(0, from),
	start: word.slice(from),
});

const valueFor = ({type, completes, choices, isList}: FlagSpec, text: string): Wanted => {
	const of = completes ?? choices ?? (type === 'boolean' ? ['true', 'false'] : undefined);
	return wantedFrom(of, text, isList ? text.lastIndexOf(',') + 1 : 0);
};

// The shell keeps the `--output=` part of the word itself.
function flagOrValue(last: string): Wanted {
	const [, name, value] = /^--([^=]*)=(.*)$/s.exec(last) ?? [];
	if (name === undefined || value === undefined) return wantedFrom('flags', last);
	const spec = commands.flags[name];
	return spec ? valueFor(spec, value) : wantedFrom(undefined, last);
}

// In `pod/ca`, the name after the kind is completed.
function argument(first: string | undefined, command: CommandName | undefined, last: string): Wanted {
	const slash = last.indexOf('/');
	const kind = slash < 0 ? undefined : commands.find(last.slice(0, slash));
	if (first === undefined && slash < 0) return wantedFrom('commands', last);
	const meant = first === undefined ? kind : command;
	const of = meant === undefined ? undefined : commands.of(meant).completes;
	const isNamed = first === undefined || (kind !== undefined && kind === command && of !== 'targets');
	return wantedFrom(of, last, isNamed ? slash + 1 : 0);
}

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
export async function complete(words: readonly string[], terminal: Terminal, find: FindNames) {
	const line = readPartialLine(words.slice(0, -1), words.at(-1) ?? '');
	const {offers, directive} = await offersFor(line, find);
	const lines = offers.map(({text, meaning}) => (meaning ? `${text}\t${meaning}` : text));
	await terminal.print([...lines, `:${directive}`, ''].join('\n'));
	return 0;
}

async function offersFor(line: PartialLine, find: FindNames) {
	const {of, prefix, start} = line.wanted;
	if (of === 'files' || of === 'folders') return {offers: [], directive: directives[of]};
	const all = of === undefined ? [] : of === 'flags' ? flagOffers(line) : await values(of, line, find);
	const offers = all
		.filter(({text}) => text.startsWith(start) && !line.names.includes(text))
		.map(({text, meaning}) => ({text: prefix + text, meaning}));
	return {offers, directive: directives.noFiles};
}

// A lone dash may begin a short or a long flag; anything longer is a long one.
const flagOffers = ({command, given, wanted}: PartialLine): Offer[] =>
	Object.entries(commands.flagsOf(command))
		.filter(([name, {isMultiple}]) => isMultiple || !given.includes(name))
		.flatMap(([name, {shortFlag, help}]) => [
			...(shortFlag && wanted.start === '-' ? [{text: `-${shortFlag}`, meaning: help}] : []),
			{text: `--${name}`, meaning: help},
		]);

async function values(
	of: Exclude<Candidates, 'files' | 'folders'>,
	line: PartialLine,
	find: FindNames,
): Promise<Offer[]> {
	const offered = (texts: readonly string[]) => texts.map((text) => ({text}));
	switch (of) {
		case 'commands':
			return commands.names.map((name) => ({text: name, meaning: commands.of(name).summary}));
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
		default:
			return offered(typeof of === 'string' ? await plainNames(of, line, find) : of);
	}
}

// Shells insert a name unquoted, so names with special characters are left out: `<none>`.
async function plainNames(source: NameSource, line: PartialLine, find: FindNames) {
	return (await find(source, line)).filter((name) => /^[\w./:@-]+$/.test(name));
}

/** The kinds that are offered, and those whose names are. */
const kinds = ['pod/', 'node/', 'zone/', 'deploy/', 'sts/', 'ds/'];
const named = ['pods', 'nodes', 'zones', 'deployments', 'statefulsets', 'daemonsets', 'jobs'] as const;

// `explain po` offers kinds and pod names; names of other kinds follow once the kind is typed.
async function targets(line: PartialLine, find: FindNames): Promise<Offer[]> {
	const {start} = line.wanted;
	const prefix = start.slice(0, start.indexOf('/') + 1);
	const plural = pluralOf(prefix.slice(0, -1));
	const source = prefix === '' ? 'pods' : named.find((one) => one === plural);
	const names = source ? await plainNames(source, line, find) : [];
	return [...(prefix === '' ? kinds : []), ...names.map((name) => prefix + name)].map((text) => ({text}));
}
