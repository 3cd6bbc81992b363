/** Work that is added as things go. Where one part fails, the others have nothing to go on for. */
export class Runs {
	readonly #failure = new AbortController();
	readonly #running = new Set<Promise<void>>();
	#signal: AbortSignal = this.#failure.signal;
	#failed: {readonly reason: unknown} | undefined;

	/** Ends when all of it is to end. */
	get signal(): AbortSignal {
		return this.#signal;
	}

	/** Takes in a part that has begun. */
	add(run: Promise<void>): void {
		const settled = run
			.catch((reason: unknown) => {
				this.#failed ??= {reason};
				this.#failure.abort();
			})
			.then(() => {
				this.#running.delete(settled);
			});
		this.#running.add(settled);
	}

	/** Begins, and waits until all parts have ended. @throws what the first one to fail has thrown. */
	async until(signal: AbortSignal, begin: (untilEnd: AbortSignal) => void): Promise<void> {
		this.#signal = AbortSignal.any([signal, this.#failure.signal]);
		begin(this.#signal);
		while (this.#running.size > 0) await Promise.all(this.#running);
		if (this.#failed) throw this.#failed.reason;
	}
}
