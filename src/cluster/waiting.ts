import {type Duration, second} from '../core/time/instant.ts';

/** A server that is well answers sooner; who waits for longer wants to know for what. */
const longestSilence: Duration = 5 * second;

/** Whom somebody waits for, and where that is said. */
export type WaitingParts = {
	readonly host: string;
	readonly writeError: (text: string) => void;
	/** How long nothing has come from there. */
	readonly silentFor: () => Duration;
};

/**
 * Says that an API server does not answer, and since when, as soon as that is longer than usual: once for all that waits at
 * the same time, and again when it has answered meanwhile.
 */
export class Waiting {
	readonly #parts: WaitingParts;
	/** When it was said last, in real time. */
	#saidAt: Duration = Number.NEGATIVE_INFINITY;

	constructor(parts: WaitingParts) {
		this.#parts = parts;
	}

	/** Waits for some work, and says so where the server keeps it waiting. */
	async for<T>(work: Promise<T>): Promise<T> {
		const timer = setInterval(() => this.#look(), second);
		try {
			return await work;
		} finally {
			clearInterval(timer);
		}
	}

	#look(): void {
		const {host, writeError, silentFor} = this.#parts;
		const [silence, now] = [silentFor(), performance.now()];
		if (silence < longestSilence || now - silence <= this.#saidAt) return;
		this.#saidAt = now;
		const since = new Date(Date.now() - silence).toISOString().slice(11, 19);
		writeError(`Waiting for the API server at ${host}: no answer since ${since}Z.\n`);
	}
}
