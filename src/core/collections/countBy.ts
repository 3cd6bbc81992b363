/** How many values have each key, in the order of its first. */
export function countBy<Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, number> {
	const counts = new Map<Key, number>();
	for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
	return counts;
}
