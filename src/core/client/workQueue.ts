/**
 * Work to do, each item once: an item added while it is being worked on comes back when that is done.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/workqueue/queue.go Typed
 */
export class WorkQueue {
	#waiting = new Set<string>();
	#processing = new Set<string>();
	#again = new Set<string>();

	add(item: string): void {
		if (this.#processing.has(item)) this.#again.add(item);
		else this.#waiting.add(item);
	}

	/** Takes the item that waits longest; undefined when none waits. It must be given back by `done`. */
	get(): string | undefined {
		for (const item of this.#waiting) {
			this.#waiting.delete(item);
			this.#processing.add(item);
			return item;
		}
		return undefined;
	}

	done(item: string): void {
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
