import type {Action} from './vector.ts';

const usualTolerance = 300;

const text = (times: readonly number[]) => times.map((time) => `${time.toFixed(1)} ms`).join(', ') || 'never';

/**
 * Compares two traces as multisets of actions with equal keys (`keyOf`), each within a tolerance.
 *
 * @returns the first difference in time, or undefined
 */
export function firstDifference(
	expected: readonly Action[],
	got: readonly Action[],
	keyOf: (action: Action) => string,
	toleranceMs = usualTolerance,
): string | undefined {
	const [want, have] = [timesByKey(expected, keyOf), timesByKey(got, keyOf)];
	const differences = [...new Set([...want.keys(), ...have.keys()])].flatMap((key) => {
		const [a, b] = [want.get(key) ?? [], have.get(key) ?? []];
		const index = Array.from({length: Math.max(a.length, b.length)}, (_, i) => i).find(
			(i) => !isNear(a[i], b[i], toleranceMs),
		);
		if (index === undefined) return [];
		const at = Math.min(a[index] ?? Number.POSITIVE_INFINITY, b[index] ?? Number.POSITIVE_INFINITY);
		return [
			{
				at,
				message: `${key}: expected ${text(a.slice(index, index + 3))}, got ${text(b.slice(index, index + 3))}`,
			},
		];
	});
	return differences.toSorted((a, b) => a.at - b.at)[0]?.message;
}

const isNear = (a: number | undefined, b: number | undefined, tolerance: number) =>
	a !== undefined && b !== undefined && Math.abs(a - b) <= tolerance;

function timesByKey(actions: readonly Action[], keyOf: (action: Action) => string): Map<string, number[]> {
	const times = new Map<string, number[]>();
	for (const action of actions.toSorted((a, b) => a.at - b.at)) {
		const key = keyOf(action);
		times.set(key, [...(times.get(key) ?? []), action.at]);
	}
	return times;
}
