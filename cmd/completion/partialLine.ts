import type {CommandName} from '../args/commandSet.ts';
import type {Candidates, FlagSpec} from '../args/flagSpec.ts';
import {tokensOf} from '../args/kubectlGrammar.ts';
import {commands} from '../commands/commandTable.ts';

/** What the word under the cursor may become. */
type Wanted =
	/** A flag's name. */
	| {readonly type: 'flag'; readonly start: string}
	/** A value; `start` is its typed part, after `prefix` in the same word. */
	| {readonly type: 'value'; readonly of: Candidates; readonly prefix: string; readonly start: string}
	/** Nothing known. */
	| {readonly type: 'nothing'};

/** An unfinished command line. */
export type PartialLine = {
	readonly command: CommandName | undefined;
	/** The arguments before the cursor, without the command. */
	readonly names: readonly string[];
	/** The names of the flags before the cursor. */
	readonly given: readonly string[];
	/** The flags before the cursor with their values, in long form. */
	readonly whole: readonly string[];
	readonly wanted: Wanted;
};

/** Parses a command line up to the cursor as far as possible; `last` is the word under the cursor. */
export function readPartialLine(before: readonly string[], last: string): PartialLine {
	const tokens = [...tokensOf(before, commands.flags)];
	const words = tokens.flatMap((token) => (token.type === 'argument' ? token.text : []));
	const [first, ...rest] = words[0] === 'get' ? words.slice(1) : words;
	const command = first === undefined ? undefined : commands.find(first.split('/')[0] ?? '');
	const given = tokens.flatMap((token) => (token.type === 'flag' ? token.name : []));
	const whole = tokens.flatMap((token) => (token.type === 'flag' ? `--${token.name}=${token.value}` : []));
	const line = {command, names: rest, given, whole};
	const unfinished = tokens.find((token) => token.type === 'unfinished');
	const pending = unfinished && commands.flags[unfinished.name];
	if (pending) return {...line, wanted: valueFor(pending, last)};
	if (last.startsWith('-') && !before.includes('--')) return {...line, wanted: flagOrValue(last)};
	return {...line, wanted: argument(first, command, last)};
}

const nothing: Wanted = {type: 'nothing'};

const valueFor = ({type, completes, choices, isList}: FlagSpec, text: string): Wanted => {
	const of = completes ?? choices ?? (type === 'boolean' ? ['true', 'false'] : undefined);
	if (of === undefined) return nothing;
	const from = isList ? text.lastIndexOf(',') + 1 : 0;
	return {type: 'value', of, prefix: text.slice(0, from), start: text.slice(from)};
};

// The shell keeps the `--output=` part of the word itself.
function flagOrValue(last: string): Wanted {
	const [, name, value] = /^--([^=]*)=(.*)$/s.exec(last) ?? [];
	if (name === undefined || value === undefined) return {type: 'flag', start: last};
	const spec = commands.flags[name];
	return spec ? valueFor(spec, value) : nothing;
}

function argument(first: string | undefined, command: CommandName | undefined, last: string): Wanted {
	const slash = last.indexOf('/');
	if (first === undefined) {
		const kind = slash < 0 ? undefined : commands.find(last.slice(0, slash));
		if (slash < 0) return {type: 'value', of: 'commands', prefix: '', start: last};
		return kind === undefined ? nothing : named(commands.of(kind).completes, last, slash);
	}
	if (command === undefined) return nothing;
	const {completes} = commands.of(command);
	if (completes === undefined) return nothing;
	const isKind = slash > 0 && commands.find(last.slice(0, slash)) === command && completes !== 'targets';
	return isKind ? named(completes, last, slash) : {type: 'value', of: completes, prefix: '', start: last};
}

/** In `pod/ca`, the name after the kind is completed. */
const named = (of: Candidates | undefined, last: string, slash: number): Wanted =>
	of === undefined
		? nothing
		: {type: 'value', of, prefix: last.slice(0, slash + 1), start: last.slice(slash + 1)};

/** The flags that can still be added. */
export function flagCandidates({
	command,
	given,
}: PartialLine): readonly (readonly [flag: string, spec: FlagSpec])[] {
	return Object.entries(commands.flagsOf(command)).filter(
		([name, {isMultiple}]) => isMultiple || !given.includes(name),
	);
}
