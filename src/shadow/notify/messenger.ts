import {Backoff} from '../../async/backoff.ts';
import type {Timing} from '../../async/timing.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';
import type {Log} from '../log/log.ts';
import type {Alert} from './alert.ts';
import {bodyOf, type NotifyFormat, resendEvery} from './formats.ts';
import {type PostTarget, post} from './post.ts';

/** How long to wait for more, so that what happens at once is one message. */
const batchWindow: Duration = second;
/** How long the end may take while something is told. */
const lastWords: Duration = 3 * second;
const mostInBatch = 100;
/** What waits longer than this many is lost, and said to be: whoever is told late of so much is not helped. */
const mostWaiting = 10_000;
/** What has ended is remembered for a while, so that it is not told again. */
const mostEnded = 10_000;

/** Remembers what was told, over restarts where it can. */
export type ToldMemory = {
	readonly told: (key: string) => string | undefined;
	/** Keeps what was told, by key: all of one message at once, as a disk may have to be waited for. */
	readonly recordTold: (all: readonly (readonly [key: string, state: string])[]) => void;
};

export type MessengerParts = {
	readonly target: PostTarget;
	readonly format: NotifyFormat;
	readonly memory: ToldMemory;
	readonly timing: Pick<Timing, 'now' | 'sleep' | 'random'>;
	readonly log: Log;
	/** Whether this process is the one that tells, where there are several. */
	readonly mayTell: () => boolean;
	/**
	 * Whether what fires is told again each minute. Alertmanager wants it; and of several processes, the next that tells
	 * does not know what this one told: without a word of it, a receiver takes it for over.
	 */
	readonly resends: boolean;
};

export type MessengerCounts = {readonly sent: number; readonly failed: number; readonly dropped: number};

/**
 * Tells one receiver what begins and what ends, each once: in batches, and again until it is taken. What ends before it
 * was told of is never told.
 */
export class Messenger {
	readonly #parts: MessengerParts;
	readonly #backoff: Backoff;
	/** The latest of each alert that was not told yet, the oldest first. */
	readonly #waiting = new Map<string, Alert>();
	/** What is being sent: nobody knows yet whether it was told. */
	readonly #onItsWay = new Set<string>();
	/** What was told and fires. */
	readonly #firing = new Map<string, Alert>();
	/** The last state told by this process. */
	readonly #states = new Map<string, string>();
	#wake = Promise.withResolvers<void>();
	#counts: MessengerCounts = {sent: 0, failed: 0, dropped: 0};
	#resentAt: number;

	constructor(parts: MessengerParts) {
		this.#parts = parts;
		this.#backoff = new Backoff(parts.timing.random);
		this.#resentAt = parts.timing.now();
	}

	get counts(): MessengerCounts {
		return this.#counts;
	}

	/** Takes an alert as it is now, however often it was handed over before. */
	tell(alert: Alert): void {
		const {key} = alert;
		const told = this.#states.get(key) ?? this.#parts.memory.told(key);
		if (told === stateOf(alert)) {
			this.#waiting.delete(key);
			if (alert.isFiring) this.#firing.set(key, alert);
			return;
		}
		if (!alert.isFiring && told === undefined && !this.#onItsWay.has(key)) {
			this.#waiting.delete(key);
			return;
		}
		this.#waiting.set(key, alert);
		const [oldest] = this.#waiting.keys();
		if (this.#waiting.size > mostWaiting && oldest !== undefined) {
			this.#waiting.delete(oldest);
			this.#counts = {...this.#counts, dropped: this.#counts.dropped + 1};
		}
		this.#wake.resolve();
	}

	/** Tells until the signal; then what waits is tried once more. */
	async run(signal: AbortSignal): Promise<void> {
		const {timing} = this.#parts;
		// What is on its way when the end comes may arrive: cut off, it would be told twice.
		const patience = new AbortController();
		const end = () => setTimeout(() => patience.abort(), lastWords).unref();
		signal.addEventListener('abort', end, {once: true});
		while (!signal.aborted) {
			const pause = this.#waiting.size > 0 ? Promise.resolve() : this.#wake.promise;
			await Promise.race([pause, timing.sleep(minute / 4, signal)]);
			this.#wake = Promise.withResolvers();
			if (this.#waiting.size > 0) await timing.sleep(batchWindow, signal);
			const wait = await this.#deliver(patience.signal);
			if (wait > 0) await timing.sleep(wait, signal);
		}
		await this.#deliver(patience.signal);
	}

	/** Sends what waits; how long to leave the receiver alone then. */
	async #deliver(signal: AbortSignal): Promise<Duration> {
		const {mayTell, resends, timing} = this.#parts;
		// Asked before each message: of many, some may take longer than this process leads.
		while (this.#waiting.size > 0 && mayTell()) {
			const wait = await this.#send([...this.#waiting.values()].slice(0, mostInBatch), signal);
			if (wait > 0) return wait;
		}
		if (!resends || !mayTell() || timing.now() - this.#resentAt < resendEvery) return 0;
		this.#resentAt = timing.now();
		const firing = [...this.#firing.values()];
		for (let from = 0; from < firing.length && mayTell(); from += mostInBatch) {
			const wait = await this.#send(firing.slice(from, from + mostInBatch), signal);
			if (wait > 0) return wait;
		}
		return 0;
	}

	async #send(batch: readonly Alert[], signal: AbortSignal): Promise<Duration> {
		const {target, format, timing, log, resends} = this.#parts;
		for (const {key} of batch) this.#onItsWay.add(key);
		const posted = await post(target, bodyOf(format, batch, timing.now(), resends), signal);
		this.#onItsWay.clear();
		if (posted.isTaken) {
			this.#backoff.reset();
			this.#counts = {...this.#counts, sent: this.#counts.sent + batch.length};
			this.#wereTold(batch);
			return 0;
		}
		this.#counts = {...this.#counts, failed: this.#counts.failed + 1};
		const receiver = target.url.host;
		if (posted.mayRetry) {
			this.#forgetUntold();
			log.warn('a notification was not taken; it is sent again', {
				receiver,
				why: posted.why,
				alerts: batch.length,
			});
			return this.#backoff.next(posted.retryAfter);
		}
		log.error('a notification was refused; it is lost', {receiver, why: posted.why, alerts: batch.length});
		this.#counts = {...this.#counts, dropped: this.#counts.dropped + batch.length};
		// Counted as told: the same would be refused again and again.
		this.#wereTold(batch);
		return 0;
	}

	#wereTold(batch: readonly Alert[]): void {
		const fresh = batch.filter((alert) => this.#states.get(alert.key) !== stateOf(alert));
		if (fresh.length > 0) this.#parts.memory.recordTold(fresh.map((alert) => [alert.key, stateOf(alert)]));
		for (const alert of batch) this.#wasTold(alert);
	}

	#wasTold(alert: Alert): void {
		const {key} = alert;
		// It may have ended on the way: then that is told next.
		if (this.#waiting.get(key)?.isFiring === alert.isFiring) this.#waiting.delete(key);
		if (alert.isFiring) this.#firing.set(key, alert);
		else this.#firing.delete(key);
		this.#states.delete(key);
		this.#states.set(key, stateOf(alert));
		this.#forgetEnded();
	}

	/** What ended while it was sent in vain needs no word any more. */
	#forgetUntold(): void {
		for (const alert of this.#waiting.values()) if (!alert.isFiring) this.tell(alert);
	}

	#forgetEnded(): void {
		if (this.#states.size <= mostEnded + this.#firing.size) return;
		for (const [key, state] of this.#states) {
			if (state === 'firing') continue;
			this.#states.delete(key);
			return;
		}
	}
}

const stateOf = ({isFiring}: Alert): string => (isFiring ? 'firing' : 'resolved');
