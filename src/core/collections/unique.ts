/** Values without repetitions, in the order in which each first came. */
export const unique = <Value>(values: Iterable<Value>): Value[] => [...new Set(values)];
