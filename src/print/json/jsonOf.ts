import {type Duration, second} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import {Range} from '../../forecast/range.ts';
import type {RangeJson} from '../contract/common.ts';

/** The names of fields whose numbers are instants, beside those that end with `At`. */
const instants: ReadonlySet<string> = new Set([
	'about',
	'actual',
	'at',
	'evictsAbout',
	'evictsBy',
	'from',
	'lastRenewal',
	'since',
	'to',
	'until',
]);

/** What is printed of a value of the contract: instants and ranges as RFC 3339, large amounts as numbers, all else as it is. */
export function jsonOf(value: unknown, name = ''): unknown {
	if (typeof value === 'number')
		return name.endsWith('At') || instants.has(name) ? formatTimestamp(value) : value;
	if (typeof value === 'bigint') return Number(value);
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Range) return rangeJson(value);
	if (Array.isArray(value)) return value.map((item) => jsonOf(item, name));
	return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, jsonOf(field, key)]));
}

const rangeJson = ({earliest, expected, latest, likely, probability}: Range): RangeJson => ({
	earliest: formatTimestamp(earliest),
	expected: formatTimestamp(expected),
	latest: latest === null ? null : formatTimestamp(latest),
	likely: likely && {from: formatTimestamp(likely.from), until: formatTimestamp(likely.until)},
	...(probability !== undefined && {probability: Number(probability.toPrecision(2))}),
});

/** A duration as seconds, in whole milliseconds. */
export const secondsJson = (duration: Duration) => Math.round(duration) / second;

/** An item without its kind, which lists add. */
export type KindJson<Item> = Omit<Item, 'kind' | 'apiVersion'>;

/** Some fields of a value; null for absent ones. */
type NamedFields<Value, Name extends keyof Value> = {
	readonly [Key in Name]-?: Exclude<Value[Key], undefined> | (undefined extends Value[Key] ? null : never);
};

/** Some fields of a forecast; null for absent ones. */
export const fieldsOf = <Value extends object, Name extends keyof Value & string>(
	value: Value,
	...names: readonly Name[]
) => Object.fromEntries(names.map((name) => [name, value[name] ?? null])) as NamedFields<Value, Name>;
