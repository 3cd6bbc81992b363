/**
 * Tasks that run side by side. Where one fails, the others have nothing to go on for: the group's signal ends them, and the
 * failure comes out once all have ended, so that nothing runs on behind it.
 */
export class TaskGroup {
	readonly #ending = new AbortController();
	readonly #running = new Set<Promise<void>>();
	#signal: AbortSignal = this.#ending.signal;
	#failed: {readonly reason: unknown} | undefined;

	/** Ends when all tasks are to end. */
	get signal(): AbortSignal {
		return this.#signal;
	}

	/** Takes in a task that has begun. */
	add(task: Promise<unknown>): void {
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

	/** Ends the tasks, as far as they go by the group's signal. */
	end(): void {
		this.#ending.abort();
	}

	/** Begins, and waits until all tasks have ended. @throws what the first one to fail has thrown. */
	async until(signal: AbortSignal, begin: (untilEnd: AbortSignal) => void): Promise<void> {
		this.#signal = AbortSignal.any([signal, this.#ending.signal]);
		begin(this.#signal);
		await this.ended();
	}

	/** Waits until all tasks have ended. @throws what the first one to fail has thrown. */
	async ended(): Promise<void> {
		while (this.#running.size > 0) await Promise.all(this.#running);
		if (this.#failed) throw this.#failed.reason;
	}
}

/** Runs tasks until the signal, or until the first of them ends. @throws what the first one to fail has thrown. */
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
 * Waits until a screen and the work behind it have ended, and answers with what the screen ended with. A failure comes out
 * after both: what is printed before the screen is gone is lost with it.
 */
export async function untilBothEnd<End>(work: Promise<unknown>, screen: Promise<End>): Promise<End> {
	const group = new TaskGroup();
	group.add(work);
	group.add(screen);
	await group.ended();
	return screen;
}
