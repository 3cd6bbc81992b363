import type {Timing} from '../../async/timing.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';

/** Minimum time between two postponements. */
const minPostponePeriod: Duration = 2 * second;

/** A period in which changes of a collection are not seen. */
export class CollectionLoss {
	/** Called with its start when a loss begins, and with undefined when it ends. */
	readonly #onChange: (since: Instant | undefined) => void;
	readonly #timing: Pick<Timing, 'sleep' | 'elapsed'>;
	#isLost = false;
	/** Incremented by each loss and each postponement, to cancel earlier timers. */
	#generation = 0;
	#postponedAt: Duration = Number.NEGATIVE_INFINITY;

	constructor(onChange: (since: Instant | undefined) => void, timing: Pick<Timing, 'sleep' | 'elapsed'>) {
		this.#onChange = onChange;
		this.#timing = timing;
	}

	begin(since: Instant): void {
		if (this.#isLost) return;
		this.#isLost = true;
		this.#generation += 1;
		this.#onChange(since);
	}

	/** Ends the current loss, if any. */
	end(): void {
		if (!this.#isLost) return;
		this.#isLost = false;
		this.#onChange(undefined);
	}

	/**
	 * Ends the current loss after a while, unless it ends sooner. A reopened watch delivers what it missed within a moment; a
	 * server that has just started may take longer. A lively collection is seen again when data comes.
	 */
	async endAfter(duration: Duration, signal: AbortSignal): Promise<void> {
		if (!this.#isLost) return;
		const generation = this.#generation;
		await this.#timing.sleep(duration, signal);
		if (this.#generation === generation) this.end();
	}

	/** Postpones the end of the current loss: missed changes still arrive. */
	async postpone(duration: Duration, signal: AbortSignal): Promise<void> {
		const now = this.#timing.elapsed();
		if (!this.#isLost || now - this.#postponedAt < minPostponePeriod) return;
		this.#postponedAt = now;
		this.#generation += 1;
		await this.endAfter(duration, signal);
	}
}
