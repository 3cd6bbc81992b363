/**
 * Randomness as data: the state of a small generator (mulberry32), so that a run can be repeated and forked. The
 * controllers leave some choices to Go's random map order and to the scheduler; a seed makes one legal choice of
 * each.
 */
export class Random {
	#state: number;
	readonly #rankOf: ((value: string) => number) | undefined;

	/** @param rankOf values with a lower rank are drawn first; if absent, all are equal */
	constructor(seed: number, rankOf?: (value: string) => number) {
		this.#state = seed >>> 0;
		this.#rankOf = rankOf;
	}

	/** A number in [0, 1). */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let bits = this.#state;
		bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
		bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
		return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** The draw of a waiting value; the smallest goes first. */
	lotOf(value: string): number {
		return (this.#rankOf?.(value) ?? 0) + this.next();
	}

	fork(): Random {
		return new Random(this.#state, this.#rankOf);
	}
}
