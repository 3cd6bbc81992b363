import {beginningOfTime, type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Burst} from './behaviour.ts';

/** A pause longer than this ends a burst. */
const longestBurstPause: Duration = second / 2;
const mostBursts = 10;
const fewest = 50;

/** How long an undelayed write takes from the controller's decision to the API server. */
export const writing: Duration = second / 5;

/** This many writes, with their unseen calls, fit into the smallest usual bucket. */
export const fewWrites = 12;

export class WriteTrack {
	readonly #of: Burst['of'];
	#lastAt: Instant = beginningOfTime;
	#bursts: Burst[] = [];
	#current: Burst | undefined;
	count = 0;
	/** When the latest few were seen. */
	#recent: readonly Instant[] = [];

	constructor(of: Burst['of']) {
		this.#of = of;
	}

	/** When the last one was seen. */
	get lastAt(): Instant {
		return this.#lastAt;
	}

	add(at: Instant): void {
		this.count += 1;
		this.#lastAt = at;
		this.#recent = [...this.#recent, at].slice(-fewWrites - 1);
		if (this.#current && at - this.#current.to <= longestBurstPause) {
			this.#current = {...this.#current, count: this.#current.count + 1, to: at};
			return;
		}
		this.#end();
		this.#current = {of: this.#of, count: 1, from: at, to: at};
	}

	/** Takes in that writes were missed: later ones belong to another burst. */
	interrupt(): void {
		this.#end();
		this.#current = undefined;
	}

	/** Whether so few were seen since an instant that none of them can have waited for the client. */
	areFewSince(since: Instant): boolean {
		return this.#recent.filter((at) => at >= since).length <= fewWrites;
	}

	/** The longer bursts so far, including the present one. */
	get bursts(): readonly Burst[] {
		return this.#current && this.#current.count >= fewest ? [...this.#bursts, this.#current] : this.#bursts;
	}

	#end(): void {
		if (!this.#current || this.#current.count < fewest) return;
		this.#bursts = [...this.#bursts, this.#current].slice(-mostBursts);
	}
}
