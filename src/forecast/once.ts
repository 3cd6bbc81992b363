/** What was worked out for each state, by the function that did, and by key. */
const worked = new WeakMap<object, Map<unknown, Map<string, unknown>>>();

/**
 * Returns what `find` finds in a state for a key. It is called once for both: many nodes and pods of one forecast ask for
 * the same. A copy of the state with other contents starts afresh.
 */
export function once<State extends object, Value>(
	find: (state: State, key: string) => Value,
	state: State,
	key = '',
): Value {
	const ofState = worked.get(state) ?? new Map<unknown, Map<string, unknown>>();
	worked.set(state, ofState);
	const found = ofState.get(find) ?? new Map<string, unknown>();
	ofState.set(find, found);
	if (!found.has(key)) found.set(key, find(state, key));
	return found.get(key) as Value;
}
