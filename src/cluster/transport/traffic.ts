import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import type {Readable} from 'node:stream';
import type {Duration} from '../../core/time/instant.ts';
import type {RequestError} from './requestError.ts';

export type TrafficCounts = Readonly<{
	/** All requests, including watches. */
	requests: number;
	/** Bytes of response bodies on the wire. */
	bytes: number;
	watches: number;
	/** Maximum number of watches open at the same time. */
	mostWatches: number;
}>;

export class Traffic {
	readonly #counts = {requests: 0, bytes: 0, watches: 0, mostWatches: 0};
	/** Monotonic time of the last response, or of the first request if there was none; undefined before. */
	#heardAt: Duration | undefined;
	/** The answers that asked to be asked again later, until that is done. */
	readonly #throttles = new Set<RequestError>();

	get counts(): TrafficCounts {
		return {...this.#counts};
	}

	/** How long no response has come since the first request. */
	silentFor(): Duration {
		return this.#heardAt === undefined ? 0 : performance.now() - this.#heardAt;
	}

	/** Why a request waits that the server has answered, but wants to be asked later; undefined if none does. */
	get throttle(): RequestError | undefined {
		const [first] = this.#throttles;
		return first;
	}

	/** Waits as an answer asks for. */
	async waitedFor(throttle: RequestError, wait: Promise<void>): Promise<void> {
		this.#throttles.add(throttle);
		await wait.finally(() => this.#throttles.delete(throttle));
	}

	asked() {
		this.#counts.requests += 1;
		this.#heardAt ??= performance.now();
	}

	/** A response starts or continues. */
	answered() {
		this.#heardAt = performance.now();
	}

	received(bytes: number) {
		this.#counts.bytes += bytes;
		this.answered();
	}

	/** Counts a watch until its stream closes. */
	watchOpened(stream: Readable) {
		this.#counts.watches += 1;
		this.#counts.mostWatches = Math.max(this.#counts.mostWatches, this.#counts.watches);
		stream.once('close', () => {
			this.#counts.watches -= 1;
		});
	}
}

/** undici's channel for requests whose headers were passed to a connection. */
const sendHeaders = 'undici:client:sendHeaders';

/**
 * Resolves once the next request of this process, and others of the same turn, are sent: CPU work from then on costs no
 * time, as the server has to answer first. Never resolves if nothing is sent.
 */
export function requestSent(): Promise<void> {
	return new Promise((resolve) => {
		const onSent = () => {
			unsubscribe(sendHeaders, onSent);
			// Other requests of this turn use their own connections, which open at the same time.
			setImmediate(resolve);
		};
		subscribe(sendHeaders, onSent);
	});
}
