/**
 * An object as it came over the wire: the field names are those of the API type, the values are anything.
 * So a misspelt field does not compile, and a value that is used unchecked does not either.
 */
export type Fields<T> = {readonly [Name in keyof T]?: unknown};

/** Whether a value is an object with fields: no array, and not null. */
export const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object; of anything else, none. */
export function fieldsOf<T>(value: unknown): Fields<T> {
	return isObject(value) ? (value as Fields<T>) : {};
}

/** The entries of an array. Go writes an empty one as null. */
export function entriesOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

/** What each entry of an array is read as, but for those that cannot be. */
export function eachOf<T>(value: unknown, read: (entry: unknown) => T | undefined): readonly T[] {
	const all = entriesOf(value).map(read);
	// As long as it needs to be: an array that grows has room for more, which adds up in thousands of objects.
	return all.includes(undefined) ? all.filter((one) => one !== undefined) : (all as T[]);
}

/** The text, or `''` where there is none. */
export function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** The number, unless it is none or not finite. */
export function numberOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A map of texts, as labels are; entries of other types are left out. */
export function textMapOf(value: unknown): Readonly<Record<string, string>> {
	const map = fieldsOf<Record<string, unknown>>(value);
	// The parser's own object is as small as any copy; only a map with something to drop is made anew.
	if (Object.values(map).every((text) => typeof text === 'string')) return map as Record<string, string>;
	const entries = Object.entries(map);
	return Object.fromEntries(
		entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);
}

/** A field that is only there where it has a value: to be spread into an object. */
export function present<Name extends string, T>(name: Name, value: T | undefined): {[N in Name]?: T} {
	return value === undefined ? {} : ({[name]: value} as {[N in Name]: T});
}

/** What a reviver is told beside key and value: the text that a number was read from. */
type JsonSource = {readonly source?: string};

/**
 * Reads JSON without loss: a whole number that does not fit a double exactly becomes a bigint. A kubelet's amounts are
 * uint64, and one below zero comes as a number near 2^64.
 *
 * @throws SyntaxError where it is no JSON
 */
export function parseExactJson(text: string): unknown {
	const revive = (_key: string, value: unknown, {source}: JsonSource): unknown =>
		typeof value === 'number' &&
		!Number.isSafeInteger(value) &&
		source !== undefined &&
		/^-?\d+$/.test(source)
			? BigInt(source)
			: value;
	return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** The amount, if it is one that fits a uint64. Recordings have those that no number holds as a text. */
export function uint64Of(value: unknown): bigint | undefined {
	const isText = typeof value === 'string' && /^\d{16,20}$/.test(value);
	if (typeof value !== 'bigint' && !isText && !Number.isSafeInteger(value)) return undefined;
	const amount = BigInt(value as bigint | number | string);
	return amount >= 0n && BigInt.asUintN(64, amount) === amount ? amount : undefined;
}
