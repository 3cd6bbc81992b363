import type {Timing} from '../../async/timing.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';

/** The time in which nothing is seen of a collection. */
export class CollectionLoss {
	/** Is called as one begins, and with undefined as it ends. */
	readonly #tell: (since: Instant | undefined) => void;
	readonly #timing: Pick<Timing, 'sleep'>;
	#isOn = false;
	/** Counts those that began. */
	#begun = 0;

	constructor(tell: (since: Instant | undefined) => void, timing: Pick<Timing, 'sleep'>) {
		this.#tell = tell;
		this.#timing = timing;
	}

	begin(since: Instant): void {
		if (this.#isOn) return;
		this.#isOn = true;
		this.#begun += 1;
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
		const present = this.#begun;
		await this.#timing.sleep(duration, signal);
		if (this.#begun === present) this.end();
	}
}
