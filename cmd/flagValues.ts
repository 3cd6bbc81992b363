import meow from 'meow';
import type {FlagPair} from './argumentList.ts';
import {allFlags} from './flagTable.ts';

// meow names a flag in camelCase and derives `--node-eviction-rate` from `nodeEvictionRate`.
type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
	? `${Head}${Capitalize<Camel<Tail>>}`
	: Name;

type Flags = typeof allFlags;

type ValueOf<Spec> = Spec extends {type: 'boolean'}
	? boolean
	: Spec extends {isMultiple: true}
		? readonly string[]
		: string | undefined;

/** The values of all flags: false, empty or undefined where a flag was not given. */
export type FlagValues = {readonly [Name in keyof Flags as Camel<Name>]: ValueOf<Flags[Name]>};

/** Gives typed values to flags that are known to be in the table. */
export function flagValues(flags: readonly FlagPair[]): FlagValues {
	const specs = Object.entries(allFlags).map(([name, spec]) => {
		const isMultiple = 'isMultiple' in spec;
		return [camelCase(name), {type: spec.type, isMultiple}] as const;
	});
	const {flags: values} = meow({
		importMeta: import.meta,
		// meow takes one pair of quotes off each value, so that a value's own would be lost.
		argv: flags.map(([name, value]) => `--${name}="${value}"`),
		autoHelp: false,
		autoVersion: false,
		pkg: {name: 'kubectl-evictwatch'},
		flags: Object.fromEntries(specs),
	});
	return values as unknown as FlagValues;
}

const camelCase = (name: string): string =>
	name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
