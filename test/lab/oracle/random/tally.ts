/** Counts what came of drawn scenarios, and tells of each that is not the same as soon as it is known. */
export class Tally {
	readonly #say: (line: string) => void;
	#same = 0;
	#eventful = 0;
	#different = 0;
	#givenUp = 0;

	constructor(say: (line: string) => void) {
		this.#say = say;
	}

	/** @param difference undefined where the port did the same; `isEventful` where somebody was evicted in it */
	compared(name: string, difference: string | undefined, isEventful = true): void {
		if (isEventful) this.#eventful += 1;
		if (difference === undefined) this.#same += 1;
		else {
			this.#different += 1;
			this.#say(`${name}: ${difference}`);
		}
	}

	/** One whose real side came to no end. */
	givenUp(name: string): void {
		this.#givenUp += 1;
		this.#say(`${name}: given up: the recorder came to no end`);
	}

	/** Whether the port did the same in all that were played to the end. */
	get isRight(): boolean {
		return this.#different === 0;
	}

	/** All in one line. */
	get text(): string {
		const played = `${this.#same} the same, ${this.#different} not found, ${this.#givenUp} given up`;
		const quiet = this.#same + this.#different - this.#eventful;
		return quiet > 0 ? `${played}; in ${quiet} nobody was evicted` : played;
	}
}
