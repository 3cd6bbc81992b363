import {type Duration, minute, second} from '../core/time/instant.ts';

const first: Duration = second / 2;
// Whoever looks at an outage wants to see its end; a request each ten seconds burdens no server.
const longest: Duration = 10 * second;
// Whoever asks for more is asked sooner. What Retry-After says may be anything, and a timer of more than 25 days ends at once.
const longestAsked: Duration = minute;

/** How long to wait before the next attempt: twice as long each time, up to a limit, and never quite the same. */
export class Backoff {
	readonly #random: () => number;
	#failures = 0;

	constructor(random: () => number) {
		this.#random = random;
	}

	/** The wait after one more failure; at least what the server asked for, up to a minute. */
	next(atLeast: Duration = 0): Duration {
		const wait = Math.min(longest, first * 2 ** this.#failures);
		this.#failures += 1;
		// Between half and all of it: clients that lost their server together do not come back together.
		return Math.max(Math.min(atLeast, longestAsked), wait * (0.5 + this.#random() / 2));
	}

	reset(): void {
		this.#failures = 0;
	}
}
