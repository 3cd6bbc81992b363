import type {Timing} from '../../async/timing.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';

/** How long nothing may come from the API server until it is asked whether it is there. */
const askedAfter: Duration = 2.5 * second;
/** How long nothing may come, nor an answer, until nothing counts as seen. Leaders renew each two seconds. */
const silentAfter: Duration = 6 * second;
/** How long an answer is waited for until the server is asked again. */
const askedAgainAfter: Duration = 4 * second;
/** No more than this passes between two looks while this process is awake. */
const longestPeriod: Duration = second;

/** How much later than due a look may come without anything having kept this program from reading. */
const lateLook: Duration = second / 20;
/** How long afterwards what is read may still have waited. */
const readWithin: Duration = second;

/** What a pulse tells, and whom it asks. */
type PulseParts = {
	readonly timing: Pick<Timing, 'now' | 'elapsed' | 'nextLook' | 'lookPeriod'>;
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
	#heardAt: Instant = beginningOfTime;
	/** For how long nothing came while this process was awake. */
	#silence: Duration = 0;
	#isSilent = false;
	/** The last look at the clock, in real time and by this machine's clock; undefined before the first. */
	#lookedAt: {readonly elapsed: Duration; readonly at: Instant} | undefined;
	/** The last time in which this program was kept from reading, up to an instant in real time. */
	#delay: {readonly since: Instant; readonly until: Duration} | undefined;
	#asking: {readonly since: Duration; readonly end: AbortController} | undefined;

	constructor(parts: PulseParts) {
		this.#parts = parts;
	}

	/** When something last came from the API server, on any watch or as an answer to the question. */
	get heardAt(): Instant {
		return this.#heardAt;
	}

	/**
	 * Since when something that is read now may have been there already; undefined where it is read as it comes. A program
	 * that computes or gets no processor reads late.
	 */
	get unreadSince(): Instant | undefined {
		this.#noteDelay();
		const {elapsed} = this.#parts.timing;
		return this.#delay && elapsed() - this.#delay.until <= readWithin ? this.#delay.since : undefined;
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
			this.#lookedAt = {elapsed: before, at: this.#parts.timing.now()};
			await nextLook(signal);
			this.#noteDelay();
			const now = elapsed();
			// A process that was stopped has not listened meanwhile.
			this.#silence += Math.min(now - before, longestPeriod);
			before = now;
			this.#look(now, signal);
		}
		this.#asking?.end.abort();
	}

	/** Takes in that the next look is overdue: what came since the last one waits to be read. */
	#noteDelay(): void {
		const {elapsed, lookPeriod} = this.#parts.timing;
		const [until, last] = [elapsed(), this.#lookedAt];
		if (!last || until - last.elapsed <= lookPeriod + lateLook) return;
		this.#delay = {since: last.at, until};
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
