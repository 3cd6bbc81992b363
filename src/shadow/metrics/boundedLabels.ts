/** The label of all values beyond the limit. */
export const otherLabel = '_other';

/** Limits the values of a metric label, as each one is a time series in Prometheus: the first have their own, others share one. */
export class BoundedLabels {
	readonly #most: number;
	readonly #known = new Set<string>();

	constructor(most: number) {
		this.#most = most;
	}

	labelOf(value: string): string {
		if (!this.#known.has(value) && this.#known.size >= this.#most) return otherLabel;
		this.#known.add(value);
		return value;
	}
}
