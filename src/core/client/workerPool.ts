/** A work queue with a fixed number of workers; an item keeps one worker busy until it is done. */
export class WorkerPool {
	readonly #workers: number;
	#queue: WorkQueue;
	#busy: number;

	constructor(workers: number, queue = new WorkQueue(), busy = 0) {
		this.#workers = workers;
		this.#queue = queue;
		this.#busy = busy;
	}

	add(item: string) {
		this.#queue.add(item);
	}

	/** Takes the next item for a free worker; undefined if no worker is free or nothing waits. */
	take(): string | undefined {
		if (this.#busy === this.#workers) return undefined;
		const item = this.#queue.get();
		if (item !== undefined) this.#busy += 1;
		return item;
	}

	done(item: string) {
		this.#queue.done(item);
		this.#busy -= 1;
	}

	fork(): WorkerPool {
		return new WorkerPool(this.#workers, this.#queue.fork(), this.#busy);
	}
}

/**
 * A work queue that holds each item once. An item added while it is processed is queued again afterwards.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/workqueue/queue.go Typed
 */
export class WorkQueue {
	#waiting = new Set<string>();
	#processing = new Set<string>();
	#again = new Set<string>();

	add(item: string) {
		if (this.#processing.has(item)) this.#again.add(item);
		else this.#waiting.add(item);
	}

	/** Takes the item that has waited longest; undefined if none waits. `done` must return it. */
	get(): string | undefined {
		for (const item of this.#waiting) {
			this.#waiting.delete(item);
			this.#processing.add(item);
			return item;
		}
		return undefined;
	}

	done(item: string) {
		this.#processing.delete(item);
		if (this.#again.delete(item)) this.#waiting.add(item);
	}

	fork(): WorkQueue {
		const copy = new WorkQueue();
		copy.#waiting = new Set(this.#waiting);
		copy.#processing = new Set(this.#processing);
		copy.#again = new Set(this.#again);
		return copy;
	}
}
