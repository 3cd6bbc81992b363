import {parseGoBoolean} from '../../src/core/model/goValues.ts';
import type {FlagSpec} from './flagSpec.ts';
import {allFlags} from './flagTable.ts';
import {nearest} from './nearest.ts';
import {removedFlag} from './removedFlags.ts';
import {invalidValue, usageError} from './usageError.ts';

/** A flag by its name on the command line, and its value. */
export type FlagPair = readonly [name: string, value: string];

/** A command line taken apart: flags, and all other arguments. */
export type ArgumentList = {
	readonly flags: readonly FlagPair[];
	readonly positionals: readonly string[];
};

const specs: ReadonlyMap<string, FlagSpec> = new Map(Object.entries(allFlags));
const byShortFlag = new Map(
	Object.entries<FlagSpec>(allFlags).flatMap(([name, {shortFlag}]) =>
		shortFlag ? [[shortFlag, name] as const] : [],
	),
);

/**
 * Reads a command line by the grammar of kubectl's flags: `-ojson`, `-An shop`, flags after
 * arguments, the last of a repeated flag wins, and everything after `--` is an argument.
 */
export function readArguments(argv: readonly string[]): ArgumentList {
	const rest = [...argv];
	const positionals: string[] = [];
	const flags: FlagPair[] = [];
	for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
		if (argument === '--') positionals.push(...rest.splice(0));
		else if (argument.startsWith('--')) flags.push(readLong(argument, rest));
		else if (argument.startsWith('-') && argument !== '-') flags.push(...readShort(argument, rest));
		else positionals.push(argument);
	}
	return {flags: lastOfEach(flags), positionals};
}

function readLong(argument: string, rest: string[]): FlagPair {
	const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
	const spec = specs.get(name);
	if (!spec) throw unknownFlag(name);
	return [name, checked(name, value ?? impliedValue(spec, rest) ?? missingValue(`--${name}`))];
}

// `-Aw` are two switches, `-ojson`, `-o=json` and `-o json` one flag and its value.
function readShort(argument: string, rest: string[]): FlagPair[] {
	const flags: FlagPair[] = [];
	for (let letters = argument.slice(1); letters !== ''; letters = letters.slice(1)) {
		const letter = letters.charAt(0);
		const name = byShortFlag.get(letter);
		const spec = specs.get(name ?? '');
		if (name === undefined || !spec) {
			throw usageError(`unknown shorthand flag: '${letter}' in ${argument}`);
		}
		const glued = letters.slice(1);
		const isValue = glued.startsWith('=') || (spec.type === 'string' && glued !== '');
		if (isValue) return [...flags, [name, checked(name, glued.replace(/^=/, ''))]];
		flags.push([name, impliedValue(spec, rest) ?? missingValue(`'${letter}' in ${argument}`)]);
	}
	return flags;
}

function impliedValue(spec: FlagSpec, rest: string[]): string | undefined {
	if (spec.type === 'boolean') return 'true';
	if (spec.optionalValue && !spec.optionalValue.test(rest[0] ?? '')) return '';
	return rest.shift();
}

function checked(name: string, value: string): string {
	if (specs.get(name)?.type !== 'boolean') return value;
	const isOn = parseGoBoolean(value);
	if (isOn === undefined) throw invalidValue(name, value, 'want true or false');
	return String(isOn);
}

function missingValue(flag: string): never {
	throw usageError(`flag needs an argument: ${flag}`);
}

function unknownFlag(name: string): Error {
	const removed = removedFlag(name);
	if (removed) return removed;
	const suggestion = nearest(name, [...specs.keys()]);
	return usageError(`unknown flag: --${name}${suggestion ? `; did you mean --${suggestion}?` : ''}`);
}

function lastOfEach(flags: readonly FlagPair[]): FlagPair[] {
	return flags.filter(
		([name], index) =>
			specs.get(name)?.isMultiple || flags.findLastIndex(([other]) => other === name) === index,
	);
}
