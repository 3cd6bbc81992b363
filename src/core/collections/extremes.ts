// `Math.max(...values)` passes each value as an argument, and a call takes only some 120,000: a cluster may have more pods.

/** The least of any number of values; `start` if there is no lesser one. */
export function minOf(values: Iterable<number>, start = Number.POSITIVE_INFINITY): number {
	let least = start;
	for (const value of values) least = Math.min(least, value);
	return least;
}

/** The greatest of any number of values; `start` if there is no greater one. */
export function maxOf(values: Iterable<number>, start = Number.NEGATIVE_INFINITY): number {
	let greatest = start;
	for (const value of values) greatest = Math.max(greatest, value);
	return greatest;
}
