import {WorkQueue} from './workQueue.ts';

/** A work queue with so many workers; an item taken keeps one busy until it is done. */
export class WorkerPool {
	readonly #workers: number;
	#queue: WorkQueue;
	#busy: number;

	constructor(workers: number, queue = new WorkQueue(), busy = 0) {
		this.#workers = workers;
		this.#queue = queue;
		this.#busy = busy;
	}

	add(item: string): void {
		this.#queue.add(item);
	}

	/** Takes the next item for a worker that is free; undefined where no worker is free or nothing waits. */
	take(): string | undefined {
		if (this.#busy === this.#workers) return undefined;
		const item = this.#queue.get();
		if (item !== undefined) this.#busy += 1;
		return item;
	}

	done(item: string): void {
		this.#queue.done(item);
		this.#busy -= 1;
	}

	fork(): WorkerPool {
		return new WorkerPool(this.#workers, this.#queue.fork(), this.#busy);
	}
}
