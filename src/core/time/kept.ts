/** What a map keeps under a key: made, and kept from then on, where there is nothing yet. */
export function kept<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
	const known = map.get(key);
	if (known !== undefined) return known;
	const made = make();
	map.set(key, made);
	return made;
}
