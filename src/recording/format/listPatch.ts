/** What became of a list: entries that are new, and of the list before how many are kept from which place on. */
type ListPatch = readonly (object | readonly [from: number, count: number])[];

/** Tells lists by what is new in them; entries are the same where their JSON is. */
export class ListEncoder {
	#told: readonly string[] = [];

	/** What is to be written of a list; undefined where it is as it was. */
	patch(entries: readonly object[]): ListPatch | undefined {
		const before = this.#told;
		const places = new Map(before.map((text, place) => [text, place]));
		const texts = entries.map((entry) => JSON.stringify(entry));
		this.#told = texts;
		if (texts.length === before.length && texts.every((text, place) => text === before[place]))
			return undefined;
		const patch: (object | [from: number, count: number])[] = [];
		let run: [from: number, count: number] | undefined;
		for (const [index, entry] of entries.entries()) {
			const place = places.get(texts[index] ?? '');
			if (run && place === run[0] + run[1]) run[1] += 1;
			else {
				run = place === undefined ? undefined : [place, 1];
				patch.push(run ?? entry);
			}
		}
		return patch;
	}
}

/** Puts lists together again. */
export class ListDecoder<T> {
	/** With gaps where an entry could not be read, so that all others are where they were. */
	#list: readonly (T | undefined)[] = [];

	/** The list as it is now. */
	take(patch: unknown, read: (entry: unknown) => T | undefined): readonly T[] {
		if (Array.isArray(patch)) {
			const before = this.#list;
			this.#list = patch.flatMap((entry: unknown) => {
				if (!Array.isArray(entry)) return [read(entry)];
				const [from = 0, count = 0] = entry.map(Number);
				return before.slice(from, from + count);
			});
		}
		return this.#list.filter((entry) => entry !== undefined);
	}
}
