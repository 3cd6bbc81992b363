import {endingSignals} from '../../src/async/endingSignals.ts';
import {orAborted} from '../../src/async/orAborted.ts';

/**
 * Handles Ctrl-C, the end of the terminal and the like, so that a command can finish. A second one ends the process at once, except
 * for the end of the terminal: the kernel tells that, and the shell once more.
 */
export class Interruption {
	readonly #stop = new AbortController();
	#received: NodeJS.Signals | undefined;

	constructor() {
		for (const signal of endingSignals) {
			process.once(signal, () => {
				this.#received = signal;
				if (signal === 'SIGHUP') process.on(signal, toldAlready);
				this.#stop.abort();
			});
		}
	}

	get signal(): AbortSignal {
		return this.#stop.signal;
	}

	/** The result of the work; undefined if interrupted first. @throws as the work */
	cutShort<Value>(work: Promise<Value>): Promise<Value | undefined> {
		return orAborted(work, this.signal).catch((error: unknown) => {
			if (error !== this.signal.reason) throw error;
			return undefined;
		});
	}

	/** Ends the process as the signal would have, if there was one. */
	passOn() {
		if (!this.#received) return;
		process.off(this.#received, toldAlready);
		process.kill(process.pid, this.#received);
	}
}

const toldAlready = () => undefined;
