import {type Duration, type Instant, minute} from '../../core/time/instant.ts';

/** What all values share for which no label is left. */
export const otherLabel = '_other';

/** For how long a value is not heard of until another may have its label. */
const keptFor: Duration = 60 * minute;

type LabelLimits = {
	/** So many values have a label. */
	readonly most: number;
	readonly now: () => Instant;
	/** Is told of a value that has its label no more. */
	readonly freed: (value: string) => void;
};

/**
 * A label that may take so many values and no more: each value of it is a series that somebody's Prometheus keeps. The
 * first that come get one; the others share `_other`, until one of the first has not been asked for in an hour.
 */
export class BoundedLabels {
	readonly #limits: LabelLimits;
	/** When each was last asked for, the longest ago first. */
	readonly #known = new Map<string, Instant>();

	constructor(limits: LabelLimits) {
		this.#limits = limits;
	}

	labelOf(value: string): string {
		const {most, now, freed} = this.#limits;
		const at = now();
		if (!this.#known.delete(value) && this.#known.size >= most) {
			const [oldest] = this.#known;
			if (!oldest || at - oldest[1] <= keptFor) return otherLabel;
			this.#known.delete(oldest[0]);
			freed(oldest[0]);
		}
		this.#known.set(value, at);
		return value;
	}
}
