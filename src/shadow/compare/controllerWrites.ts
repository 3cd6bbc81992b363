import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Interval} from '../../forecast/observe/interval.ts';

/** Longest pause between writes of a throttled client, even at the slowest usual rate. */
const longestWritePause: Duration = 2 * second;
const minWrites = 5;
const maxWrites = 2000;

/** The controllers' observed writes: without pauses, their client is throttled. */
export class ControllerWrites {
	#writes: Instant[] = [];

	add(at: Instant): void {
		this.#writes.push(at);
		if (this.#writes.length > 2 * maxWrites) this.#writes = this.#writes.slice(-maxWrites);
	}

	/** The number of writes in a period if they were continuous until its end; else undefined. */
	busyIn({lo, hi}: Interval): number | undefined {
		const within = this.#writes.filter((at) => at >= lo - longestWritePause && at <= hi);
		if (within.length < minWrites) return undefined;
		// Reads come first, and are not visible.
		const ends = [...within, hi];
		const hasPause = ends.some((at, index) => index > 0 && at - (ends[index - 1] ?? at) > longestWritePause);
		return hasPause ? undefined : within.length;
	}
}
