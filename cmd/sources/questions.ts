import type {Pausable} from '../../src/forecast/pausable.ts';

/** Questions, each answered between two forecasts, as its subject must not change, and in slices, so that keys respond. */
export class Questions {
	readonly #waiting: (() => Pausable<void>)[] = [];

	/** Queues a question; resolves with the answer. */
	ask<Answer>(work: () => Pausable<Answer>): Promise<Answer> {
		const {promise, resolve, reject} = Promise.withResolvers<Answer>();
		this.#waiting.push(function* () {
			try {
				resolve(yield* work());
			} catch (error) {
				reject(error);
			}
		});
		return promise;
	}

	/** The longest waiting question; undefined if there is none. */
	next = (): Pausable<void> | undefined => this.#waiting.shift()?.();
}
