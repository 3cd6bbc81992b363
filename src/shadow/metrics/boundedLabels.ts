import {type Duration, type Instant, minute} from '../../core/time/instant.ts';

/** The label of all values beyond the limit. */
export const otherLabel = '_other';

/** A label is reused if its value was not used for this time. */
const labelLifetime: Duration = 60 * minute;

type LabelLimits = {
	readonly most: number;
	readonly now: () => Instant;
	readonly freed: (value: string) => void;
};

/**
 * Limits the values of a metric label, as each one is a time series in Prometheus. The first values get a label of their
 * own; others share `_other`, until one of the first is unused for an hour.
 */
export class BoundedLabels {
	readonly #limits: LabelLimits;
	/** When each was last used, the oldest first. */
	readonly #known = new Map<string, Instant>();

	constructor(limits: LabelLimits) {
		this.#limits = limits;
	}

	labelOf(value: string): string {
		const {most, now, freed} = this.#limits;
		const at = now();
		if (!this.#known.delete(value) && this.#known.size >= most) {
			const [oldest] = this.#known;
			if (!oldest || at - oldest[1] <= labelLifetime) return otherLabel;
			this.#known.delete(oldest[0]);
			freed(oldest[0]);
		}
		this.#known.set(value, at);
		return value;
	}
}
