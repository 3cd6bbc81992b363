import {type Duration, minute, second} from '../core/time/instant.ts';

const first: Duration = second / 2;
// Users watch for the end of an outage; one request every ten seconds is no load for a server.
const longest: Duration = 10 * second;
// Limits Retry-After, which may hold anything: setTimeout fires at once for a delay of more than 25 days.
export const longestAsked: Duration = minute;

/** Waits before the next attempt: twice as long each time, up to a limit, with jitter. */
export class Backoff {
	readonly #random: () => number;
	#failures = 0;

	constructor(random: () => number) {
		this.#random = random;
	}

	/** The wait after one more failure; at least `atLeast` (the server's Retry-After), capped at a minute. */
	next(atLeast: Duration = 0): Duration {
		const wait = Math.min(longest, first * 2 ** this.#failures);
		this.#failures += 1;
		// Jitter between half and all of the wait: clients that lost a server together do not reconnect together.
		return Math.max(Math.min(atLeast, longestAsked), wait * (0.5 + this.#random() / 2));
	}

	/** Whether waits no longer grow. */
	get isLongest() {
		return first * 2 ** this.#failures > longest;
	}

	reset() {
		this.#failures = 0;
	}
}
