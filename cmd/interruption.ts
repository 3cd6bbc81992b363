import {constants} from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Waits for Ctrl-C and the like, so that a last word can be said. A second one ends the process at once. */
export class Interruption {
	readonly #stop = new AbortController();
	#exitCode = 0;

	constructor() {
		for (const signal of signals) {
			process.once(signal, () => {
				// What a shell says of a process that a signal has ended.
				this.#exitCode = 128 + constants.signals[signal];
				this.#stop.abort();
			});
		}
	}

	/** Aborted by an interruption. */
	get signal(): AbortSignal {
		return this.#stop.signal;
	}

	/** What the process is to end with: 0 where nothing interrupted it. */
	get exitCode(): number {
		return this.#exitCode;
	}
}
