import {orAborted} from '../../async/orAborted.ts';
import type {Timing} from '../../async/timing.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {Decoder} from '../codec/decoder.ts';
import {type ListedObjects, list} from '../transport/list.ts';
import {nodeLeases, nodes, type Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

/** The nodes and their leases, requested before it is known how to watch the rest. */
export class EarlyLists {
	readonly decoder = new Decoder();
	readonly nodes: EarlyList<Node>;
	readonly leases: EarlyList<Lease>;

	constructor(transport: Transport, timing: Timing) {
		this.nodes = new EarlyList(transport, nodes(this.decoder), timing);
		this.leases = new EarlyList(transport, nodeLeases(this.decoder), timing);
	}
}

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
