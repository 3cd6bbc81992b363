/** Tasks that run concurrently. If one fails, the signal ends the others; once all have ended, the failure is thrown. */
export class TaskGroup {
	readonly #ending = new AbortController();
	readonly #running = new Set<Promise<void>>();
	#signal: AbortSignal = this.#ending.signal;
	#failed: {readonly reason: unknown} | undefined;

	/** Aborted when all tasks must end. */
	get signal(): AbortSignal {
		return this.#signal;
	}

	/** Adds a task that is already running. */
	add(task: Promise<unknown>) {
		const settled = task
			.catch((reason: unknown) => {
				this.#failed ??= {reason};
				this.end();
			})
			.then(() => {
				this.#running.delete(settled);
			});
		this.#running.add(settled);
	}

	end() {
		this.#ending.abort();
	}

	/** Starts tasks with a signal and waits until all have ended. @throws what the first failed task threw */
	async until(signal: AbortSignal, begin: (untilEnd: AbortSignal) => void): Promise<void> {
		this.#signal = AbortSignal.any([signal, this.#ending.signal]);
		begin(this.#signal);
		await this.ended();
	}

	/** Waits until all tasks have ended. @throws what the first failed task threw */
	async ended(): Promise<void> {
		while (this.#running.size > 0) await Promise.all(this.#running);
		if (this.#failed) throw this.#failed.reason;
	}
}

/** Runs tasks until the signal, or until the first of them ends. @throws what the first failed task threw */
export async function untilFirstEnds(
	signal: AbortSignal,
	...tasks: readonly ((signal: AbortSignal) => Promise<unknown>)[]
): Promise<void> {
	const group = new TaskGroup();
	await group.until(signal, (untilEnd) => {
		for (const task of tasks) group.add(task(untilEnd).finally(() => group.end()));
	});
}

/**
 * Waits until a screen and the work behind it have ended; resolves with the screen's result. A failure is thrown only after
 * both have ended: a message that is printed before the screen closes is lost.
 */
export async function untilBothEnd<End>(work: Promise<unknown>, screen: Promise<End>): Promise<End> {
	const group = new TaskGroup();
	group.add(work);
	group.add(screen);
	await group.ended();
	return screen;
}
