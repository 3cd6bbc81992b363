import type {Watched} from '../../conformance/forecastVector.ts';

/** In addition to the tolerance: the API truncates times to whole seconds. */
const secondCut = 1000;

/**
 * Compares what a client observed: everything must be equal except times, which may differ by the tolerance, and
 * consequences of the order of concurrent writes.
 *
 * @returns the path of the first difference, or undefined
 */
export function firstObjectDifference(a: unknown, b: unknown, toleranceMs: number): string | undefined {
	return differs(a, b, toleranceMs, '');
}

function differs(a: unknown, b: unknown, tolerance: number, path: string): string | undefined {
	if (typeof a === 'string' && typeof b === 'string') {
		const apart = isTime(a) && isTime(b) ? Math.abs(Date.parse(a) - Date.parse(b)) : Number.POSITIVE_INFINITY;
		return a === b || apart <= tolerance + secondCut ? undefined : path;
	}
	if (Array.isArray(a) && Array.isArray(b)) {
		if (a.length !== b.length) return path;
		return firstOf(sorted(a), (item, i) => differs(item, sorted(b)[i], tolerance, `${path}[${i}]`));
	}
	if (isObject(a) && isObject(b)) {
		const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
		return firstOf(keys, (key) =>
			key === 'resourceVersion' || (key === 'at' && isNear(a[key], b[key], tolerance))
				? undefined
				: differs(a[key], b[key], tolerance, `${path}.${key}`),
		);
	}
	return a === b ? undefined : path;
}

/** A watcher's last version of each object, and the number of its events. */
export function known(events: readonly Watched[]): Readonly<Record<string, unknown>> {
	const last: Record<string, {times: number; event: Omit<Watched, 'at'>}> = {};
	for (const {type, kind, object} of events) {
		const {namespace = '', name} = (object as {metadata: {namespace?: string; name: string}}).metadata;
		const key = [kind, namespace, name].join(' ');
		last[key] = {times: (last[key]?.times ?? 0) + 1, event: {type, kind, object}};
	}
	return last;
}

const isTime = (text: string) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const isNear = (a: unknown, b: unknown, tolerance: number) => Math.abs(Number(a) - Number(b)) <= tolerance;

function firstOf<T>(
	items: readonly T[],
	find: (item: T, index: number) => string | undefined,
): string | undefined {
	for (const [i, item] of items.entries()) {
		const found = find(item, i);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Sorts taints by key and effect, because two workers may add them at one instant in either order. */
const sorted = (items: readonly unknown[]) =>
	items.every((item) => isObject(item) && 'effect' in item)
		? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
		: items;
