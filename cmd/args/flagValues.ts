import type {FlagPair} from './argumentList.ts';
import type {FlagSpec} from './flagSpec.ts';
import {allFlags} from './flagTable.ts';

// `--node-eviction-rate` has its value in `nodeEvictionRate`.
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
	const values = Object.entries<FlagSpec>(allFlags).map(([name, spec]) => {
		const given = flags.filter(([flag]) => flag === name).map(([, value]) => value);
		return [camelCase(name), typed(spec, given)] as const;
	});
	return Object.fromEntries(values) as FlagValues;
}

function typed(
	{type, isMultiple, isOnByDefault}: FlagSpec,
	given: readonly string[],
): boolean | string | readonly string[] | undefined {
	const last = given.at(-1);
	if (type === 'boolean') return last === undefined ? isOnByDefault === true : last === 'true';
	return isMultiple ? given : last;
}

const camelCase = (name: string): string =>
	name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
