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
