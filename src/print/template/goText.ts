import {compareValues} from '../../core/collections/compareValues.ts';

/** Whether a JSON value is an object, not an array or null. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The entries of a JSON object sorted by key, as Go prints a map. */
export const sortedEntries = (value: Readonly<Record<string, unknown>>) =>
	Object.entries(value).toSorted(([a], [b]) => compareValues(a, b));

/** Formats a JSON value as Go's `fmt.Sprint` does: `map[a:1 b:[x y]]`, `<nil>`. Whole numbers are integers. */
export function goText(value: unknown): string {
	if (value === null || value === undefined) return '<nil>';
	if (typeof value === 'number') return Number.isInteger(value) ? String(value) : goFloat(value);
	if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
	if (!isObject(value)) return String(value);
	const entries = sortedEntries(value).map(([key, item]) => `${key}:${goText(item)}`);
	return `map[${entries.join(' ')}]`;
}

// Go switches to exponents earlier than JavaScript, and writes at least two digits.
function goFloat(value: number): string {
	const size = Math.abs(value);
	const digits = size !== 0 && (size < 1e-4 || size >= 1e6) ? value.toExponential() : String(value);
	return digits.replace(/e([-+])(\d)$/, 'e$10$2');
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
