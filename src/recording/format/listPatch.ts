/** A changed list: new entries, and ranges of the previous list that are kept. */
type ListPatch = readonly (object | readonly [from: number, count: number])[];

/** Encodes lists as changes; entries are equal if their JSON is. */
export function listEncoder() {
	let written: readonly string[] = [];
	/** The patch of a list; undefined if it is unchanged. */
	return (entries: readonly object[]): ListPatch | undefined => {
		const before = written;
		const places = new Map(before.map((text, place) => [text, place]));
		const texts = entries.map((entry) => JSON.stringify(entry));
		written = texts;
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
	};
}

export function listDecoder<T>(read: (entry: unknown) => T | undefined) {
	/** Undefined for unreadable entries, so that the others keep their positions. */
	let list: readonly (T | undefined)[] = [];
	return (patch: unknown): readonly T[] => {
		if (Array.isArray(patch)) {
			const before = list;
			list = patch.flatMap((entry: unknown) => {
				if (!Array.isArray(entry)) return [read(entry)];
				const [from = 0, count = 0] = entry.map(Number);
				return before.slice(from, from + count);
			});
		}
		return list.filter((entry) => entry !== undefined);
	};
}
