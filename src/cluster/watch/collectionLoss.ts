import type {Timing} from '../../async/timing.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';

/** A reopened watch delivers everything it missed within this time. */
const catchUp: Duration = second;
/** A reopened watch of a lively collection counts as caught up after this long without data: perhaps nothing is left that writes. */
const maxQuiet: Duration = 10 * second;
/** A server may wait for up to this share of the time that the watch was closed before it sends the first missed event. */
const maxDelayShare = 1 / 10;
/** A watch may deliver old changes for this long after it opened; if later changes seem old, a clock is wrong. */
const longestCatchUp: Duration = minute;
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

	get isLost(): boolean {
		return this.#isLost;
	}

	begin(since: Instant): void {
		if (this.#isLost) return;
		this.#isLost = true;
		this.#generation += 1;
		this.#onChange(since);
	}

	end(): void {
		if (!this.#isLost) return;
		this.#isLost = false;
		this.#onChange(undefined);
	}

	/**
	 * Ends the current loss some time after its watch was reopened, unless it ends sooner. A watch delivers what it missed
	 * within a moment; a server that has just started may take longer.
	 *
	 * @param closedFor how long the watch was closed
	 * @param isLively whether data must come all the time, which ends the loss sooner
	 */
	endAfterReopening(closedFor: Duration, isLively: boolean, signal: AbortSignal): Promise<void> {
		const quiet = Math.max(maxQuiet, Math.min(longestCatchUp, closedFor * maxDelayShare));
		return this.#endAfter(isLively ? quiet : catchUp, signal);
	}

	/**
	 * Ends or prolongs the current loss after a batch: after an old renewal, newer ones follow.
	 *
	 * @param isPresent whether the batch reaches the present; undefined if unknown
	 * @param openFor how long the watch has been open
	 */
	judge(isPresent: boolean | undefined, openFor: Duration, signal: AbortSignal): void {
		if (isPresent) this.end();
		else if (isPresent === false && openFor < longestCatchUp) this.#postpone(signal);
	}

	async #endAfter(duration: Duration, signal: AbortSignal): Promise<void> {
		if (!this.#isLost) return;
		const generation = this.#generation;
		await this.#timing.sleep(duration, signal);
		if (this.#generation === generation) this.end();
	}

	/** Postpones the end of the current loss: missed changes still arrive. */
	#postpone(signal: AbortSignal): void {
		const now = this.#timing.elapsed();
		if (!this.#isLost || now - this.#postponedAt < minPostponePeriod) return;
		this.#postponedAt = now;
		this.#generation += 1;
		void this.#endAfter(maxQuiet, signal);
	}
}
