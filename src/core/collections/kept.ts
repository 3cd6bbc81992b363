/**
 * What a map keeps under a key: made, and kept from then on, where there is nothing yet.
 *
 * @param most a map that keeps so many starts over
 */
export function kept<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	make: () => Value,
	most = Number.POSITIVE_INFINITY,
): Value {
	const known = map.get(key);
	if (known !== undefined) return known;
	if (map.size >= most) map.clear();
	const made = make();
	map.set(key, made);
	return made;
}
