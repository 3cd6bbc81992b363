import {orAborted} from '../../async/orAborted.ts';
import type {Timing} from '../../async/timing.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {Decoder} from '../codec/decoder.ts';
import {type ListedObjects, list} from '../transport/list.ts';
import {nodeLeases, nodes, type Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

/** The nodes and their leases, requested before it is known how to watch the rest. */
export function listEarly(transport: Transport, timing: Timing) {
	const decoder = new Decoder();
	const early = <T>(resource: Resource<T>) => new EarlyList(transport, resource, timing);
	return {decoder, nodes: early(nodes(decoder)), leases: early(nodeLeases(decoder))};
}

export type EarlyLists = ReturnType<typeof listEarly>;

export class EarlyList<T> {
	readonly #timing: Timing;
	readonly #startedAt: Duration;
	readonly #listed: Promise<ListedObjects<T> | undefined>;

	constructor(transport: Transport, resource: Resource<T>, timing: Timing) {
		this.#timing = timing;
		this.#startedAt = timing.elapsed();
		// Whoever waits for it lists again, and learns why.
		this.#listed = list(transport, resource, timing).catch(() => undefined);
	}

	/** When it was requested, by the server's clock as it is known now: before the first answer it was not. */
	get begunAt(): Instant {
		return this.#timing.now() - (this.#timing.elapsed() - this.#startedAt);
	}

	/** The objects; undefined if it failed. @throws the signal's reason once aborted */
	listed(signal: AbortSignal): Promise<ListedObjects<T> | undefined> {
		return orAborted(this.#listed, signal);
	}
}
