import {parseGoBoolean} from '../../src/core/model/goValues.ts';
import {allFlags} from './flagGroups/commandFlags.ts';
import type {FlagSpec, FlagTable} from './flagSpec.ts';
import {invalidValue, nearest, usageError} from './usageError.ts';

const table: FlagTable = allFlags;

export type FlagPair = readonly [name: string, value: string];

/** A command line, split into flags and arguments. */
export type ArgumentList = {
	readonly flags: readonly FlagPair[];
	readonly positionals: readonly string[];
};

type ArgumentToken =
	| {readonly type: 'flag'; readonly name: string; readonly value: string}
	| {readonly type: 'argument'; readonly text: string}
	/** A flag at the end of the line that still needs a value. */
	| {readonly type: 'unfinished'; readonly name: string; readonly error: string}
	| {readonly type: 'unknown'; readonly name: string; readonly error: string};

/** kubectl's grammar: `-ojson`, `-An shop`, flags after arguments, only arguments after `--`. Tokenizes unfinished lines too. */
export function* tokensOf(argv: readonly string[]): Generator<ArgumentToken> {
	const rest = [...argv];
	for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
		if (word === '--') for (const text of rest.splice(0)) yield {type: 'argument', text};
		else if (word.startsWith('--')) yield longFlag(word, rest);
		else if (word.startsWith('-') && word !== '-') yield* shortFlags(word, rest);
		else yield {type: 'argument', text: word};
	}
}

/** Reads a complete command line. The last of a repeated flag wins. @throws UserError in kubectl's words */
export function readArguments(argv: readonly string[]): ArgumentList {
	const positionals: string[] = [];
	const flags: FlagPair[] = [];
	for (const token of tokensOf(argv)) {
		if (token.type === 'argument') positionals.push(token.text);
		else if (token.type === 'flag') flags.push([token.name, checked(token.name, token.value)]);
		else throw usageError(token.error);
	}
	const isLast = ([name]: FlagPair, index: number) =>
		table[name]?.isMultiple || flags.findLastIndex(([other]) => other === name) === index;
	return {flags: flags.filter(isLast), positionals};
}

/** Flags with the same first of two words: `--node-down` and `--node-back` for the unknown `--node-up`. */
const likeNamed = (name: string): readonly string[] => {
	const [first, ...rest] = name.split('-');
	const isLike = ([word, ...others]: readonly string[]) => word === first && others.length === 1;
	return rest.length === 0 ? [] : Object.keys(table).filter((one) => isLike(one.split('-')));
};

function longFlag(word: string, rest: string[]): ArgumentToken {
	const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
	const spec = Object.hasOwn(table, name) ? table[name] : undefined;
	if (!spec) {
		// `--foo` is no misspelt `--for`.
		const suggestion = nearest(
			name,
			Object.keys(table).filter((one) => one.length !== 3 || name.length !== 3),
		);
		const meant = suggestion === undefined ? likeNamed(name) : [suggestion];
		const [, place] = /^(node|zone)s?$/.exec(name) ?? [];
		const hint =
			place !== undefined
				? `; did you mean ${place}/NAME, without a flag? (What-ifs have --${place}-down.)`
				: meant.length === 0
					? ''
					: `; did you mean ${meant.map((one) => `--${one}`).join(' or ')}?`;
		return {type: 'unknown', name, error: `unknown flag: --${name}${hint}`};
	}
	return finished(name, value ?? impliedValue(spec, rest), `--${name}`);
}

// `-Aw` holds two switches; `-ojson`, `-o=json` and `-o json` are one flag and its value.
function* shortFlags(word: string, rest: string[]): Generator<ArgumentToken> {
	for (let letters = word.slice(1); letters !== ''; letters = letters.slice(1)) {
		const letter = letters.charAt(0);
		const [name, spec] = Object.entries(table).find(([, {shortFlag}]) => shortFlag === letter) ?? [];
		if (name === undefined || !spec) {
			return yield {type: 'unknown', name: letter, error: `unknown shorthand flag: '${letter}' in ${word}`};
		}
		const glued = letters.slice(1);
		const isValue = glued.startsWith('=') || (spec.type === 'string' && glued !== '');
		if (isValue) return yield {type: 'flag', name, value: glued.replace(/^=/, '')};
		yield finished(name, impliedValue(spec, rest), `'${letter}' in ${word}`);
	}
}

const finished = (name: string, value: string | undefined, spelt: string): ArgumentToken =>
	value === undefined
		? {type: 'unfinished', name, error: `flag needs an argument: ${spelt}`}
		: {type: 'flag', name, value};

function impliedValue(spec: FlagSpec, rest: string[]): string | undefined {
	if (spec.type === 'boolean') return 'true';
	const [next] = rest;
	if (spec.optionalValue && (next === undefined || !spec.optionalValue.test(next))) return '';
	return rest.shift();
}

// Go accepts more words for true and false.
function checked(name: string, value: string): string {
	if (table[name]?.type !== 'boolean') return value;
	const isOn = parseGoBoolean(value);
	if (isOn === undefined) throw invalidValue(name, value, 'want true or false');
	return String(isOn);
}
