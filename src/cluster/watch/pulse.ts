import type {Timing} from '../../async/timing.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';

/** After this silence, the API server is asked whether it answers. */
const askedAfter: Duration = 2.5 * second;
/** After this silence without an answer, the connection counts as lost. Leaders renew every two seconds. */
const silentAfter: Duration = 6 * second;
/** After this time without an answer, the server is asked again. */
const askedAgainAfter: Duration = 4 * second;
/** A longer gap between two looks means that the process was suspended; only this much counts. */
const longestPeriod: Duration = second;

/** Tolerated delay of a look; a longer one means that the process was kept from reading. */
const lateLook: Duration = second / 20;
/** Data that is read within this time after a delay may have waited unread. */
const readWithin: Duration = second;

type PulseParts = Readonly<{
	timing: Pick<Timing, 'now' | 'elapsed' | 'nextLook' | 'lookPeriod'>;
	/** Sends a request that the API server must look up; resolves to whether it answered. */
	ask: (signal: AbortSignal) => Promise<boolean>;
	/** Called when it answered after a silence. */
	confirmed: () => void;
	/** Called when the connection counts as lost, and when it is back. */
	changed: (isSilent: boolean) => void;
	/** Called regularly. @param awake how long this process was awake since the last call */
	looked: (awake: Duration) => void;
	/** Whether nothing can be heard now, so that silence shows nothing. */
	isResting?: () => boolean;
}>;

/**
 * Distinguishes an idle cluster from an API server that no longer answers: after a short silence of all watches it sends a
 * request, and an answer proves that nothing happened.
 */
export class Pulse {
	readonly #parts: PulseParts;
	#heardAt: Instant = beginningOfTime;
	/** Silence while this process was awake. */
	#silence: Duration = 0;
	#isSilent = false;
	/** The last look: monotonic time, and this machine's clock; undefined before the first. */
	#lookedAt: {readonly elapsed: Duration; readonly at: Instant} | undefined;
	/** The last period in which the process was kept from reading; `until` is monotonic time. */
	#delay: {readonly since: Instant; readonly until: Duration} | undefined;
	#asking: {readonly since: Duration; readonly end: AbortController} | undefined;

	constructor(parts: PulseParts) {
		this.#parts = parts;
	}

	/** When data last came from the API server, on any watch or as an answer. */
	get heardAt(): Instant {
		return this.#heardAt;
	}

	/** Since when data that is read now may have been waiting; undefined if it is read at once. A busy process reads late. */
	get unreadSince(): Instant | undefined {
		this.#noteDelay();
		const {elapsed} = this.#parts.timing;
		return this.#delay && elapsed() - this.#delay.until <= readWithin ? this.#delay.since : undefined;
	}

	/** Data arrived. */
	heard() {
		this.#heardAt = this.#parts.timing.now();
		this.#silence = 0;
		if (!this.#isSilent) return;
		this.#isSilent = false;
		this.#parts.changed(false);
	}

	async run(signal: AbortSignal): Promise<void> {
		const {elapsed, nextLook} = this.#parts.timing;
		this.heard();
		for (let before = elapsed(); !signal.aborted; ) {
			this.#lookedAt = {elapsed: before, at: this.#parts.timing.now()};
			await nextLook(signal);
			this.#noteDelay();
			const now = elapsed();
			// A suspended process did not listen meanwhile.
			const awake = Math.min(now - before, longestPeriod);
			before = now;
			this.#look(now, awake, signal);
		}
		this.#asking?.end.abort();
	}

	/** Notes an overdue look: data that arrived since the last look is still unread. */
	#noteDelay() {
		const {elapsed, lookPeriod} = this.#parts.timing;
		const [until, last] = [elapsed(), this.#lookedAt];
		if (!last || until - last.elapsed <= lookPeriod + lateLook) return;
		this.#delay = {since: last.at, until};
	}

	#look(now: Duration, awake: Duration, signal: AbortSignal) {
		this.#silence = this.#parts.isResting?.() ? 0 : this.#silence + awake;
		if (signal.aborted) return;
		this.#parts.looked(awake);
		if (this.#silence >= askedAfter) this.#ask(now, signal);
		if (this.#silence < silentAfter || this.#isSilent) return;
		this.#isSilent = true;
		this.#parts.changed(true);
	}

	#ask(now: Duration, signal: AbortSignal) {
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
				this.answered();
			});
	}

	/** The API server answered, which shows what happened until now. */
	answered() {
		this.heard();
		this.#parts.confirmed();
	}
}
