import type {Instant} from '../core/time/instant.ts';
import type {Clock} from '../live/clock.ts';

/** Rings once; whoever waits goes on. */
export class Bell {
	#rung = new AbortController();

	ring(): void {
		if (!this.#rung.signal.aborted) this.#rung.abort();
	}

	reset(): void {
		this.#rung = new AbortController();
	}

	rung(signal: AbortSignal): Promise<void> {
		const either = AbortSignal.any([this.#rung.signal, signal]);
		if (either.aborted) return Promise.resolve();
		return new Promise((resolve) => either.addEventListener('abort', () => resolve(), {once: true}));
	}

	rungOr(at: Instant, clock: Clock, signal: AbortSignal): Promise<void> {
		return clock.sleepUntil(at, AbortSignal.any([this.#rung.signal, signal]));
	}
}
