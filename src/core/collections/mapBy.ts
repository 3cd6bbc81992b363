/** Values by a key that each has; of several with one key, the last. */
export const mapBy = <Key, Value>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value> =>
	new Map(values.map((value) => [keyOf(value), value]));
