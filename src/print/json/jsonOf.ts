import {type Duration, second} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {Range} from '../../forecast/range.ts';
import type {RangeJson, TimestampJson} from '../contract/common.ts';

/** The names of fields whose numbers are instants, beside those that end with `At`. */
const instants = [
	'about',
	'at',
	'evictsAbout',
	'evictsBy',
	'from',
	'lastRenewal',
	'since',
	'to',
	'until',
] as const;

type InstantName = (typeof instants)[number] | `${string}At`;

/** What `jsonOf` makes of a value of this type. */
export type Json<Value> = Value extends Range
	? RangeJson
	: Value extends bigint
		? number
		: Value extends string | number | boolean | null | undefined
			? Value
			: Value extends readonly (infer Item)[]
				? readonly Json<Item>[]
				: {readonly [Name in keyof Value]: FieldJson<Name, Value[Name]>};

type FieldJson<Name, Value> = Name extends InstantName
	? Value extends number
		? TimestampJson
		: Json<Value>
	: Json<Value>;

const instantNames: ReadonlySet<string> = new Set(instants);

const isInstant = (name: string): boolean => name.endsWith('At') || instantNames.has(name);

/** A value of a forecast in the JSON contract: instants and ranges as RFC 3339, large amounts as numbers, all else as it is. */
export const jsonOf = <Value>(value: Value): Json<Value> => plain(value, '') as Json<Value>;

function plain(value: unknown, name: string): unknown {
	if (typeof value === 'number') return isInstant(name) ? formatTimestamp(value) : value;
	if (typeof value === 'bigint') return Number(value);
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Range) return rangeJson(value);
	if (Array.isArray(value)) return value.map((item) => plain(item, name));
	return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field, key)]));
}

const rangeJson = ({earliest, expected, latest}: Range): RangeJson => ({
	earliest: formatTimestamp(earliest),
	expected: formatTimestamp(expected),
	latest: latest === null ? null : formatTimestamp(latest),
});

/** A duration as seconds, in whole milliseconds. */
export const secondsJson = (duration: Duration): number => Math.round(duration) / second;

/** The JSON of an item without its kind, which lists add. */
export type KindJson<Item> = Json<Omit<Item, 'kind' | 'apiVersion'>>;

/** Some fields of a value; null for absent ones. */
type NamedFields<Value, Name extends keyof Value> = {
	readonly [Key in Name]-?: Exclude<Value[Key], undefined> | (undefined extends Value[Key] ? null : never);
};

/** Some fields of a forecast in the JSON contract; null for absent ones. */
export const fieldsOf = <Value extends object, Name extends keyof Value & string>(
	value: Value,
	...names: readonly Name[]
): Json<NamedFields<Value, Name>> =>
	jsonOf(Object.fromEntries(names.map((name) => [name, value[name] ?? null])) as NamedFields<Value, Name>);
