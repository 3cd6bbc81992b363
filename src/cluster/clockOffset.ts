import type {Problem} from '../core/model/clusterSnapshot.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';

/** From which difference on a clock is called wrong. Countdowns are shown in seconds. */
const tolerated: Duration = 2 * second;

/**
 * How far the API server's clock is ahead of ours, as far as its Date headers tell. They are cut to whole seconds and
 * written at some moment between our question and its answer, so each tells a range; together they tell a narrow one.
 */
export class ClockOffset {
	#least = Number.NEGATIVE_INFINITY;
	#most = Number.POSITIVE_INFINITY;
	#used: Duration = 0;

	observe(dateHeader: string, sentAt: Instant, receivedAt: Instant): void {
		const date = Date.parse(dateHeader);
		if (Number.isNaN(date)) return;
		const [least, most] = [date - receivedAt, date + second - sentAt];
		// A clock that was set since makes the ranges disagree: the newest is right.
		const agrees = least <= this.#most && most >= this.#least;
		this.#least = agrees ? Math.max(this.#least, least) : least;
		this.#most = agrees ? Math.min(this.#most, most) : most;
		const wrong = Math.max(this.#least - this.#used, this.#used - this.#most);
		if (wrong > tolerated) this.#used = (this.#least + this.#most) / 2;
	}

	/**
	 * What to add to our clock to have the server's. It stays as it is while it is certainly not wrong by more than two
	 * seconds: one that followed each answer would make time uneven. A machine that slept is set right by the next answer.
	 */
	get correction(): Duration {
		return this.#used;
	}

	/** Present where the clocks certainly differ by more than two seconds. */
	get problem(): Problem | undefined {
		const certain = this.#least > 0 ? this.#least : Math.min(0, this.#most);
		if (Math.abs(certain) <= tolerated) return undefined;
		const middle = Math.abs(this.#least + this.#most) / 2;
		return {
			reason: 'ClockSkew',
			message:
				`this machine's clock is about ${(middle / second).toFixed(1)} s ${certain > 0 ? 'behind' : 'ahead of'} ` +
				"the API server's, whose time is taken (the clock is wrong, or the machine has slept)",
		};
	}
}
