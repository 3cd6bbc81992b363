/**
 * Hands out one shared value for equal ones. In 150,000 pods there are few different lists of tolerations, and few
 * node names. Pods come and go for weeks, so a full cache starts over: what was shared stays shared.
 */
export class Interner<T> {
	readonly #byKey = new Map<string, T>();
	readonly #capacity: number;

	constructor(capacity = 20_000) {
		this.#capacity = capacity;
	}

	/** The value known under this key, or the new one, which is known from here on. */
	share(key: string, value: () => T): T {
		const known = this.#byKey.get(key);
		if (known !== undefined) return known;
		if (this.#byKey.size >= this.#capacity) this.#byKey.clear();
		const added = value();
		this.#byKey.set(key, added);
		return added;
	}
}
