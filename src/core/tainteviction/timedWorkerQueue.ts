import type {Instant} from '../time/instant.ts';

/** A deletion that waits for its time or is in progress. */
type TimedWorker = {
	readonly id: number;
	readonly createdAt: Instant;
	readonly fireAt: Instant;
};

/**
 * Work to do at given times, one per key. A worker stays listed while it runs. Its timer fires even after its key was
 * removed from the list, unless it was cancelled.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/timed_workers.go TimedWorkerQueue
 */
export class TimedWorkerQueue {
	readonly #keepsFinished: boolean;
	#nextId = 0;
	/** 'inFlight' stands for work that was due when it was added, which has no timer, and for finished work whose key is kept. */
	#workers = new Map<string, TimedWorker | 'inFlight'>();
	/** Timers that have neither fired nor been cancelled, with their keys. */
	#timers = new Map<number, string>();

	/** @param keepsFinished whether the key of finished work stays until it is cancelled (until v1.32) */
	constructor(keepsFinished: boolean) {
		this.#keepsFinished = keepsFinished;
	}

	/**
	 * Adds work, unless the key already has some.
	 *
	 * @quirk work of the same key that is in flight swallows the new one
	 */
	addWork(key: string, createdAt: Instant, fireAt: Instant): TimedWorker | 'inFlight' | undefined {
		if (this.#workers.has(key)) return undefined;
		if (fireAt <= createdAt) {
			this.#workers.set(key, 'inFlight');
			return 'inFlight';
		}
		const worker: TimedWorker = {id: this.#nextId++, createdAt, fireAt};
		this.#workers.set(key, worker);
		this.#timers.set(worker.id, key);
		return worker;
	}

	/** The worker of a key that has or had a timer. */
	worker(key: string): TimedWorker | undefined {
		const entry = this.#workers.get(key);
		return entry === 'inFlight' ? undefined : entry;
	}

	/**
	 * Cancels the work of a key; returns whether it had a timer.
	 *
	 * @quirk a worker already at work counts as cancelled, though nothing stops it
	 */
	cancelWork(key: string): boolean {
		const entry = this.#workers.get(key);
		if (!entry) return false;
		this.#workers.delete(key);
		if (entry === 'inFlight') return false;
		this.#timers.delete(entry.id);
		return true;
	}

	/** Handles a timer that has fired; returns its key, or undefined if it was cancelled. */
	fire(id: number): string | undefined {
		const key = this.#timers.get(id);
		this.#timers.delete(id);
		return key;
	}

	/**
	 * Handles the end of a worker, successful or failed.
	 *
	 * @quirk the key is forgotten even where other work of that key was added meanwhile
	 * @quirk until 1.32 the key of a finished deletion stays, and swallows new work, until its pod is seen to be gone
	 * @upstream kubernetes v1.32.13 pkg/controller/tainteviction/timed_workers.go getWrappedWorkerFunc
	 */
	finished(key: string, ok: boolean) {
		if (this.#keepsFinished && ok) this.#workers.set(key, 'inFlight');
		else this.#workers.delete(key);
	}

	/** All work with a timer, by key. */
	get scheduled(): ReadonlyMap<string, TimedWorker> {
		const entries = [...this.#workers].filter(
			(entry): entry is [string, TimedWorker] => entry[1] !== 'inFlight',
		);
		return new Map(entries);
	}

	fork(): TimedWorkerQueue {
		const copy = new TimedWorkerQueue(this.#keepsFinished);
		copy.#nextId = this.#nextId;
		copy.#workers = new Map(this.#workers);
		copy.#timers = new Map(this.#timers);
		return copy;
	}
}
