/**
 * Chance as data: the state of a small generator (mulberry32), so that a run can be repeated and forked. The
 * controllers leave some choices to Go's random map order and to the scheduler; a seed makes one legal choice of each.
 */
export class Random {
	#state: number;

	constructor(seed: number) {
		this.#state = seed >>> 0;
	}

	/** A number from 0 up to, not including, 1. */
	next(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let bits = this.#state;
		bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
		bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
		return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
	}

	fork(): Random {
		return new Random(this.#state);
	}
}
