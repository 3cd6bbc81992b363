/** Counts the results of drawn scenarios, and prints each difference as soon as it is known. */
export class Tally {
	readonly #say: (line: string) => void;
	#same = 0;
	#eventful = 0;
	#different = 0;
	#givenUp = 0;

	constructor(say: (line: string) => void) {
		this.#say = say;
	}

	/** @param difference undefined if the port did the same; `isEventful` if something was evicted */
	compared(name: string, difference: string | undefined, isEventful = true): void {
		if (isEventful) this.#eventful += 1;
		if (difference === undefined) this.#same += 1;
		else {
			this.#different += 1;
			this.#say(`${name}: ${difference}`);
		}
	}

	/** Counts a scenario whose real side did not end. */
	givenUp(name: string): void {
		this.#givenUp += 1;
		this.#say(`${name}: given up: the recorder came to no end`);
	}

	/** Whether the port did the same in all scenarios that ended. */
	get isRight(): boolean {
		return this.#different === 0;
	}

	/** The counts in one line. */
	get text(): string {
		const played = `${this.#same} the same, ${this.#different} not found, ${this.#givenUp} given up`;
		const quiet = this.#same + this.#different - this.#eventful;
		return quiet > 0 ? `${played}; in ${quiet} nobody was evicted` : played;
	}
}
