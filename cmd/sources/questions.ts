import type {Pausable} from '../../src/forecast/pausable.ts';

/**
 * What is asked while forecasts are made: each question is worked on between two of them, in pieces between which keys
 * are answered, since what it is about must not change meanwhile.
 */
export class Questions {
	readonly #waiting: (() => Pausable<void>)[] = [];

	/** Asks; the answer comes once its work is done. */
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

	/** The work that has waited longest; undefined where none does. */
	next = (): Pausable<void> | undefined => this.#waiting.shift()?.();
}
