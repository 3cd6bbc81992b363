import {beginningOfTime, type Duration, second} from '../../core/time/instant.ts';
import {clockTime} from '../../dates/utc.ts';

/** Who is well answers sooner; who waits for longer wants to know for whom. */
const longestSilence: Duration = 5 * second;
/** A person who types a password into a plugin is not interrupted so soon. */
const longestAttended: Duration = 30 * second;

/** Who has to answer next, and for how long nothing has come from there. */
export type Awaited = {
	/** As in `the API server at HOST`. */
	readonly name: string;
	readonly silentFor: Duration;
	/** Whether a person may be at work with it. */
	readonly isAttended: boolean;
};

/** Whom somebody waits for, and where that is said. */
type WaitingParts = {
	readonly writeError: (text: string) => void;
	readonly awaited: () => Awaited;
};

/**
 * Says who does not answer, and since when, as soon as that is longer than usual: once for all that waits at the same time,
 * and again when there was an answer meanwhile.
 */
export class Waiting {
	readonly #parts: WaitingParts;
	/** When each name was said last, in real time. */
	readonly #saidAt = new Map<string, Duration>();

	constructor(parts: WaitingParts) {
		this.#parts = parts;
	}

	/** Waits for some work, and says so where somebody keeps it waiting. */
	async for<T>(work: Promise<T>): Promise<T> {
		const timer = setInterval(() => this.#look(), second);
		try {
			return await work;
		} finally {
			clearInterval(timer);
		}
	}

	#look(): void {
		const {writeError, awaited} = this.#parts;
		const {name, silentFor, isAttended} = awaited();
		const now = performance.now();
		if (silentFor < (isAttended ? longestAttended : longestSilence)) return;
		if (now - silentFor <= (this.#saidAt.get(name) ?? beginningOfTime)) return;
		this.#saidAt.set(name, now);
		writeError(`Waiting for ${name}: no answer since ${clockTime(Date.now() - silentFor)}.\n`);
	}
}
