import {Random} from '../../../../src/core/time/random.ts';

/** A time in the API's format; virtual time begins with the year 2000. */
export const timeAt = (seconds: number) =>
	new Date(Date.UTC(2000, 0, 1) + Math.floor(seconds) * 1000).toISOString().replace('.000', '');

/** Draws from a seed: a seed always produces the same scenario. */
export class Draw {
	readonly #random: Random;

	constructor(seed: number) {
		this.#random = new Random(seed);
	}

	/** A number from 0 up to, not including, `n`. */
	below(n: number): number {
		return this.#random.next() * n;
	}

	/** A whole number from 0 up to, not including, `n`. */
	index(n: number): number {
		return Math.floor(this.below(n));
	}

	/** True with a probability of one in `n`. */
	oneIn(n: number): boolean {
		return this.index(n) === 0;
	}

	/** One of the items, all equally likely. */
	of<T>(items: readonly [T, ...T[]]): T {
		return items[this.index(items.length)] ?? items[0];
	}
}
