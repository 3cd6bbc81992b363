import {endingSignals} from '../../src/async/endingSignals.ts';
import {orAborted} from '../../src/async/orAborted.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';

const sameMoment: Duration = second / 10;

/**
 * Handles Ctrl-C, the end of the terminal and the like, so that a command can finish. A second one ends the process at once, unless
 * it is the same that is told twice: the end of the terminal by the kernel and by the shell, others by whoever signals a process and
 * then its group, as `timeout` does.
 */
export class Interruption {
	readonly #stop = new AbortController();
	#received: NodeJS.Signals | undefined;

	constructor() {
		for (const signal of endingSignals) {
			process.once(signal, () => {
				this.#received = signal;
				process.on(signal, toldAlready);
				if (signal !== 'SIGHUP') setTimeout(() => process.off(signal, toldAlready), sameMoment).unref();
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
