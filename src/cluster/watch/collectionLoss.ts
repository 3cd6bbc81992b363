import type {Timing} from '../../async/timing.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';

/** An end is put off no more often than this. */
const putOffEvery: Duration = 2 * second;

/** The time in which nothing is seen of a collection. */
export class CollectionLoss {
	/** Is called as one begins, and with undefined as it ends. */
	readonly #tell: (since: Instant | undefined) => void;
	readonly #timing: Pick<Timing, 'sleep' | 'elapsed'>;
	#isOn = false;
	/** Counts those that began, and the times that their end was put off. */
	#generation = 0;
	#putOffAt: Duration = Number.NEGATIVE_INFINITY;

	constructor(tell: (since: Instant | undefined) => void, timing: Pick<Timing, 'sleep' | 'elapsed'>) {
		this.#tell = tell;
		this.#timing = timing;
	}

	begin(since: Instant): void {
		if (this.#isOn) return;
		this.#isOn = true;
		this.#generation += 1;
		this.#tell(since);
	}

	/** Ends the present one, where there is one. */
	end(): void {
		if (!this.#isOn) return;
		this.#isOn = false;
		this.#tell(undefined);
	}

	/**
	 * Ends the present one after a while, unless it ends sooner. Once a watch is open again, what it missed comes within a
	 * moment. A server that has just started may take longer: a collection that always has news is seen again when some come.
	 */
	async endAfter(duration: Duration, signal: AbortSignal): Promise<void> {
		if (!this.#isOn) return;
		const generation = this.#generation;
		await this.#timing.sleep(duration, signal);
		if (this.#generation === generation) this.end();
	}

	/** Ends the present one that much later from now on: what was missed still comes. */
	async putOff(duration: Duration, signal: AbortSignal): Promise<void> {
		const now = this.#timing.elapsed();
		if (!this.#isOn || now - this.#putOffAt < putOffEvery) return;
		this.#putOffAt = now;
		this.#generation += 1;
		await this.endAfter(duration, signal);
	}
}
