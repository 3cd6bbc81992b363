import type {Readable} from 'node:stream';
import type {Duration} from '../../core/time/instant.ts';

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
	/** When anything last came, in real time; when it was first asked for, where nothing has. Undefined before that. */
	#heardAt: Duration | undefined;

	get counts(): TrafficCounts {
		return {
			requests: this.#requests,
			bytes: this.#bytes,
			watches: this.#watches,
			mostWatches: this.#mostWatches,
		};
	}

	/** How long nothing has come though something was asked for; zero before that. */
	silentFor(): Duration {
		return this.#heardAt === undefined ? 0 : performance.now() - this.#heardAt;
	}

	asked(): void {
		this.#requests += 1;
		this.#heardAt ??= performance.now();
	}

	/** An answer has begun. */
	answered(): void {
		this.#heardAt = performance.now();
	}

	received(bytes: number): void {
		this.#bytes += bytes;
		this.answered();
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
