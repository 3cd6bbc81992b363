import {Random} from '../../../../src/core/time/random.ts';

/** Draws lots from a seed: the same seed makes the same scenario for ever. */
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

	/** Whether a chance of one in `n` came true. */
	oneIn(n: number): boolean {
		return this.index(n) === 0;
	}

	/** One of some things, each as likely as the others. */
	of<T>(items: readonly [T, ...T[]]): T {
		return items[this.index(items.length)] ?? items[0];
	}
}
