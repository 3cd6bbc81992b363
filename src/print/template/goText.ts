import {compareValues} from '../../core/collections/compareValues.ts';

/** Whether a JSON value is an object, not an array or null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries of a JSON object sorted by key, as Go prints a map. */
export const sortedEntries = (value: Readonly<Record<string, unknown>>): [string, unknown][] =>
	Object.entries(value).toSorted(([a], [b]) => compareValues(a, b));

/** Formats a JSON value as Go's `fmt.Sprint` does: `map[a:1 b:[x y]]`, `<nil>`. Whole numbers are integers. */
export const goText = (value: unknown): string =>
	textOf(value, (number) => (Number.isInteger(number) ? String(number) : goFloat(number)));

/** The same with all numbers as Go's floats, as in Go templates: a million is `1e+06`. */
export const goTextOfFloats = (value: unknown): string => textOf(value, goFloat);

function textOf(value: unknown, numberText: (value: number) => string): string {
	if (value === null || value === undefined) return '<nil>';
	if (typeof value === 'number') return numberText(value);
	if (Array.isArray(value)) return `[${value.map((item) => textOf(item, numberText)).join(' ')}]`;
	if (!isObject(value)) return String(value);
	const entries = sortedEntries(value).map(([key, item]) => `${key}:${textOf(item, numberText)}`);
	return `map[${entries.join(' ')}]`;
}

// Go switches to exponents earlier than JavaScript, and writes at least two digits.
function goFloat(value: number): string {
	const size = Math.abs(value);
	const text = size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential() : String(value);
	return text.replace(/e([-+])(\d)$/, 'e$10$2');
}

/** A JSON value as Go's `encoding/json` writes it: keys sorted, and safe inside HTML. */
export function goJson(value: unknown, indent?: number): string {
	return JSON.stringify(sorted(value), null, indent).replace(
		/[<>&\u2028\u2029]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

function sorted(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(sorted);
	if (!isObject(value)) return value;
	return Object.fromEntries(sortedEntries(value).map(([key, item]) => [key, sorted(item)]));
}
