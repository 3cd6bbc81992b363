/** Lets go of something. */
type Close = () => void | Promise<void>;

/** Ends what was begun, the last first, each after the one before; one that fails keeps no other from its end. */
export class Closers {
	readonly #all: Close[] = [];

	/** Ends this before what was begun until now. */
	add(close: Close): void {
		this.#all.push(close);
	}

	/** Ends this after all else, whenever it was begun. */
	addLast(close: Close): void {
		this.#all.unshift(close);
	}

	/** Ends everything, once. @throws what the first of them threw that failed, after all have ended */
	async close(): Promise<void> {
		const failures: unknown[] = [];
		for (let close = this.#all.pop(); close; close = this.#all.pop()) {
			try {
				await close();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) throw failures[0];
	}
}
