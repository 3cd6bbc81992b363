/** What all values share for which no label is left. */
export const otherLabel = '_other';

/**
 * A label that may take so many values and no more: each value of it is a series that somebody's Prometheus keeps. The
 * first that come get one; the others share `_other`.
 */
export class BoundedLabels {
	readonly #limit: number;
	readonly #known = new Set<string>();

	constructor(limit: number) {
		this.#limit = limit;
	}

	labelOf(value: string): string {
		if (this.#known.has(value)) return value;
		if (this.#known.size >= this.#limit) return otherLabel;
		this.#known.add(value);
		return value;
	}
}
