import type {Readable} from 'node:stream';

/** What a connection has cost the API server so far. */
export type TrafficCounts = {
	/** Requests of any kind, watches among them. */
	readonly requests: number;
	/** Bytes of answers as they came, compressed or not; without headers. */
	readonly bytes: number;
	/** Watches that are open. */
	readonly watches: number;
	/** The most that were open at one time. */
	readonly mostWatches: number;
};

/** Counts what goes to and fro. */
export class Traffic {
	#requests = 0;
	#bytes = 0;
	#watches = 0;
	#mostWatches = 0;

	get counts(): TrafficCounts {
		return {
			requests: this.#requests,
			bytes: this.#bytes,
			watches: this.#watches,
			mostWatches: this.#mostWatches,
		};
	}

	asked(): void {
		this.#requests += 1;
	}

	received(bytes: number): void {
		this.#bytes += bytes;
	}

	/** Counts a watch until its stream is closed. */
	watchOpened(stream: Readable): void {
		this.#watches += 1;
		this.#mostWatches = Math.max(this.#mostWatches, this.#watches);
		stream.once('close', () => {
			this.#watches -= 1;
		});
	}
}
