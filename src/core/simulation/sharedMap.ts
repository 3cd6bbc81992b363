/**
 * A copy-on-write map. Copies share one map and keep only their replaced values; adding or removing a key makes a
 * real copy.
 */
export class SharedMap<Key, Value extends object> {
	#all = new Map<Key, Value>();
	/** Whether another copy may use the same map, which must then not be changed. */
	#isShared = false;
	/** The values that replace those of the shared map. */
	#replaced = new Map<Key, Value>();

	get(key: Key): Value | undefined {
		return this.#replaced.get(key) ?? this.#all.get(key);
	}

	keys(): Iterable<Key> {
		return this.#all.keys();
	}

	set(key: Key, value: Value): void {
		if (this.#isShared && this.#all.has(key)) this.#replaced.set(key, value);
		else this.#own().set(key, value);
	}

	delete(key: Key): void {
		if (this.#all.has(key)) this.#own().delete(key);
	}

	/** All entries, in insertion order. The result changes with this map until a copy is made. */
	whole(): ReadonlyMap<Key, Value> {
		return this.#replaced.size > 0 ? this.#own() : this.#all;
	}

	fork(): SharedMap<Key, Value> {
		const copy = new SharedMap<Key, Value>();
		this.#isShared = true;
		copy.#isShared = true;
		copy.#all = this.#all;
		copy.#replaced = new Map(this.#replaced);
		return copy;
	}

	#own(): Map<Key, Value> {
		if (!this.#isShared) return this.#all;
		this.#all = new Map(this.#all);
		for (const [key, value] of this.#replaced) this.#all.set(key, value);
		this.#replaced.clear();
		this.#isShared = false;
		return this.#all;
	}
}
