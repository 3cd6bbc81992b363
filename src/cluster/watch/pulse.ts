import type {Timing} from '../../async/timing.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';

/** How long nothing may come from the API server until it is asked whether it is there. */
const askedAfter: Duration = 2.5 * second;
/** How long nothing may come, nor an answer, until nothing counts as seen. Leaders renew each two seconds. */
const silentAfter: Duration = 6 * second;
/** How long an answer is waited for until the server is asked again. */
const askedAgainAfter: Duration = 4 * second;
/** No more than this passes between two looks while this process is awake. */
const longestPeriod: Duration = second;

/** What a pulse tells, and whom it asks. */
type PulseParts = {
	readonly timing: Pick<Timing, 'now' | 'elapsed' | 'nextLook'>;
	/** Asks the API server for something that it has to look up; tells whether it answered. */
	readonly ask: (signal: AbortSignal) => Promise<boolean>;
	/** It answered, while nothing happened. */
	readonly confirmed: () => void;
	/** Nothing has come for so long that nothing counts as seen; or, after that, it answers again. */
	readonly changed: (isSilent: boolean) => void;
	/** Is called with each look at the clock. */
	readonly looked: () => void;
};

/**
 * Tells a cluster in which nothing happens from an API server that says nothing any more: after a short silence of all
 * watches it asks, and an answer proves that the silence was a true one.
 */
export class Pulse {
	readonly #parts: PulseParts;
	#heardAt: Instant = Number.NEGATIVE_INFINITY;
	/** For how long nothing came while this process was awake. */
	#silence: Duration = 0;
	#isSilent = false;
	#asking: {readonly since: Duration; readonly end: AbortController} | undefined;

	constructor(parts: PulseParts) {
		this.#parts = parts;
	}

	/** When something last came from the API server, on any watch or as an answer to the question. */
	get heardAt(): Instant {
		return this.#heardAt;
	}

	/** Something came. */
	heard(): void {
		this.#heardAt = this.#parts.timing.now();
		this.#silence = 0;
		if (!this.#isSilent) return;
		this.#isSilent = false;
		this.#parts.changed(false);
	}

	/** Looks at the clock until the signal. */
	async run(signal: AbortSignal): Promise<void> {
		const {elapsed, nextLook} = this.#parts.timing;
		this.heard();
		for (let before = elapsed(); !signal.aborted; ) {
			await nextLook(signal);
			const now = elapsed();
			// A process that was stopped has not listened meanwhile.
			this.#silence += Math.min(now - before, longestPeriod);
			before = now;
			this.#look(now, signal);
		}
		this.#asking?.end.abort();
	}

	#look(now: Duration, signal: AbortSignal): void {
		if (signal.aborted) return;
		this.#parts.looked();
		if (this.#silence >= askedAfter) this.#ask(now, signal);
		if (this.#silence < silentAfter || this.#isSilent) return;
		this.#isSilent = true;
		this.#parts.changed(true);
	}

	#ask(now: Duration, signal: AbortSignal): void {
		if (this.#asking && now - this.#asking.since < askedAgainAfter) return;
		this.#asking?.end.abort();
		const end = new AbortController();
		const asking = {since: now, end};
		this.#asking = asking;
		this.#parts
			.ask(AbortSignal.any([signal, end.signal]))
			.catch(() => false)
			.then((hasAnswered) => {
				if (this.#asking !== asking || signal.aborted) return;
				if (!hasAnswered) return;
				this.#asking = undefined;
				this.heard();
				this.#parts.confirmed();
			});
	}
}
