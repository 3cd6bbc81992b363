/** The map's value for a key, made and stored first if missing. @param most the map is cleared once it holds this many */
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
