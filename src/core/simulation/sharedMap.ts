/** A copy-on-write map: copies share one map and keep only their replaced values; a new or removed key makes a real copy. */
export class SharedMap<Key, Value extends object> {
	/** The same map as `#all`; undefined if others may use it, so that it must not be changed. */
	#own: Map<Key, Value> | undefined;
	#all: ReadonlyMap<Key, Value>;
	/** The values that replace those of the shared map. */
	#replaced = new Map<Key, Value>();

	/** @param all belongs to others, who do not change it meanwhile */
	constructor(all?: ReadonlyMap<Key, Value>) {
		this.#own = all ? undefined : new Map();
		this.#all = all ?? this.#own ?? new Map();
	}

	get(key: Key): Value | undefined {
		return this.#replaced.get(key) ?? this.#all.get(key);
	}

	keys(): Iterable<Key> {
		return this.#all.keys();
	}

	set(key: Key, value: Value) {
		if (!this.#own && this.#all.has(key)) this.#replaced.set(key, value);
		else this.#owned().set(key, value);
	}

	delete(key: Key) {
		if (this.#all.has(key)) this.#owned().delete(key);
	}

	/** All entries, in insertion order. The result changes with this map until a copy is made. */
	whole(): ReadonlyMap<Key, Value> {
		return this.#replaced.size > 0 ? this.#owned() : this.#all;
	}

	fork(): SharedMap<Key, Value> {
		this.#own = undefined;
		const copy = new SharedMap(this.#all);
		copy.#replaced = new Map(this.#replaced);
		return copy;
	}

	#owned(): Map<Key, Value> {
		if (this.#own) return this.#own;
		const own = new Map(this.#all);
		for (const [key, value] of this.#replaced) own.set(key, value);
		this.#replaced.clear();
		this.#own = own;
		this.#all = own;
		return own;
	}
}
