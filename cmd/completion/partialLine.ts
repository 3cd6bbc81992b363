import type {Candidates} from '../args/candidates.ts';
import {type CommandName, findCommand, specOf} from '../args/commandTable.ts';
import type {FlagSpec} from '../args/flagSpec.ts';
import {allFlags, flagsOf} from '../args/flagTable.ts';

/** What the word under the cursor may be. */
export type Wanted =
	/** The name of a flag. */
	| {readonly type: 'flag'; readonly start: string}
	/** A value, of which `start` is typed already, behind `prefix` in the same word. */
	| {readonly type: 'value'; readonly of: Candidates; readonly prefix: string; readonly start: string}
	/** Nothing that is known. */
	| {readonly type: 'nothing'};

/** A command line that is not finished. */
export type PartialLine = {
	readonly command: CommandName | undefined;
	/** The arguments before the cursor, the command left out. */
	readonly names: readonly string[];
	/** The names of the flags before the cursor. */
	readonly given: readonly string[];
	/** The words before the cursor that are whole: flags with their values, and arguments. */
	readonly whole: readonly string[];
	readonly wanted: Wanted;
};

const specs: ReadonlyMap<string, FlagSpec> = new Map(Object.entries(allFlags));
const nameOfLetter = new Map(
	Object.entries<FlagSpec>(allFlags).flatMap(([name, {shortFlag}]) => (shortFlag ? [[shortFlag, name]] : [])),
);

/** Understands a command line up to the cursor, as far as it makes sense; `last` is the word under it. */
export function readPartialLine(before: readonly string[], last: string): PartialLine {
	const {positionals, given, whole, pending} = readWords(before);
	const [first, ...rest] = positionals;
	const command = first === undefined ? undefined : findCommand(first.split('/')[0] ?? '');
	const line = {command, names: rest, given, whole};
	if (pending !== undefined) return {...line, wanted: valueFor(pending, '', last)};
	if (last.startsWith('-') && !before.includes('--')) return {...line, wanted: flagOrValue(last)};
	return {...line, wanted: argument(first, command, last)};
}

/** Flags and arguments of whole words; a flag whose value is still to come is `pending`. */
function readWords(words: readonly string[]) {
	const positionals: string[] = [];
	const given: string[] = [];
	const whole: string[] = [];
	let pending: FlagSpec | undefined;
	for (const [index, word] of words.entries()) {
		if (pending) {
			whole.push(`--${given.at(-1)}=${word}`);
			pending = undefined;
		} else if (word === '--') {
			positionals.push(...words.slice(index + 1));
			break;
		} else if (word.startsWith('-') && word !== '-') {
			const {names, rest, awaits} = flagsIn(word);
			given.push(...names);
			if (awaits) pending = awaits;
			else whole.push(rest);
		} else {
			positionals.push(word);
			whole.push(word);
		}
	}
	return {positionals, given, whole, pending};
}

/** The flags of a word, and the one that takes the next word. */
function flagsIn(word: string): {names: readonly string[]; rest: string; awaits?: FlagSpec} {
	const [, long] = /^--([^=]*)/.exec(word) ?? [];
	if (long !== undefined) {
		const spec = specs.get(long);
		const awaits = !word.includes('=') && spec?.type === 'string' && !spec.optionalValue ? spec : undefined;
		return {names: [long], rest: word, ...(awaits && {awaits})};
	}
	const names: string[] = [];
	for (let letters = word.slice(1); letters !== ''; letters = letters.slice(1)) {
		const name = nameOfLetter.get(letters.charAt(0));
		const spec = specs.get(name ?? '');
		if (name === undefined || !spec) break;
		names.push(name);
		if (spec.type === 'boolean') continue;
		return letters.length === 1 ? {names, rest: '', awaits: spec} : {names, rest: word};
	}
	return {names, rest: word};
}

const nothing: Wanted = {type: 'nothing'};

const valueFor = ({type, completes}: FlagSpec, prefix: string, start: string): Wanted => {
	const of = completes ?? (type === 'boolean' ? ['true', 'false'] : undefined);
	return of === undefined ? nothing : {type: 'value', of, prefix, start};
};

// The shell puts `--output=` before what it is given by itself.
function flagOrValue(last: string): Wanted {
	const [, name, value] = /^--([^=]*)=(.*)$/s.exec(last) ?? [];
	if (name === undefined || value === undefined) return {type: 'flag', start: last};
	const spec = specs.get(name);
	return spec ? valueFor(spec, '', value) : nothing;
}

function argument(first: string | undefined, command: CommandName | undefined, last: string): Wanted {
	const slash = last.indexOf('/');
	if (first === undefined) {
		const kind = slash < 0 ? undefined : findCommand(last.slice(0, slash));
		if (slash < 0) return {type: 'value', of: 'commands', prefix: '', start: last};
		return kind === undefined ? nothing : named(specOf(kind).completes, last, slash);
	}
	if (command === undefined) return nothing;
	const {completes} = specOf(command);
	if (completes === undefined) return nothing;
	const isKind = slash > 0 && findCommand(last.slice(0, slash)) === command && completes !== 'targets';
	return isKind ? named(completes, last, slash) : {type: 'value', of: completes, prefix: '', start: last};
}

/** `pod/ca` is the start of a pod's name behind its kind. */
const named = (of: Candidates | undefined, last: string, slash: number): Wanted =>
	of === undefined
		? nothing
		: {type: 'value', of, prefix: last.slice(0, slash + 1), start: last.slice(slash + 1)};

/** The flags that may still be given. */
export function flagCandidates({
	command,
	given,
}: PartialLine): readonly (readonly [flag: string, spec: FlagSpec])[] {
	return Object.entries(flagsOf(command)).filter(
		([name, {isMultiple}]) => isMultiple || !given.includes(name),
	);
}
