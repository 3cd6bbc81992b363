import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Interval} from '../../forecast/observe/interval.ts';

/** A client that is throttled to the slowest usual rate still writes so often that something of it is seen. */
const longestPause: Duration = 2 * second;
const fewest = 5;
const mostKept = 2000;

/** When the controllers were seen to write: one that writes without a pause is kept waiting by its own client. */
export class ControllerWrites {
	#writes: Instant[] = [];

	add(at: Instant): void {
		this.#writes.push(at);
		if (this.#writes.length > 2 * mostKept) this.#writes = this.#writes.slice(-mostKept);
	}

	/** How many writes were seen in a time, from the first to its end without a pause; undefined where there was one. */
	busyIn({lo, hi}: Interval): number | undefined {
		const within = this.#writes.filter((at) => at >= lo - longestPause && at <= hi);
		if (within.length < fewest) return undefined;
		// Reads come first, and are not seen.
		const ends = [...within, hi];
		const hasPause = ends.some((at, index) => index > 0 && at - (ends[index - 1] ?? at) > longestPause);
		return hasPause ? undefined : within.length;
	}
}
