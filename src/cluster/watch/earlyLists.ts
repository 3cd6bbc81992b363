import type {Timing} from '../../async/timing.ts';
import type {Instant} from '../../core/time/instant.ts';
import {Decoder} from '../codec/decoder.ts';
import {type ListedObjects, list} from '../transport/list.ts';
import {nodeLeases, nodes, type Resource} from '../transport/resource.ts';
import type {Transport} from '../transport/transport.ts';

export type EarlyList<T> = {
	/** When it was requested, by the server's clock as it is known now: before the first answer it was not. */
	readonly begunAt: () => Instant;
	/** The objects; undefined if it failed. */
	readonly listed: Promise<ListedObjects<T> | undefined>;
};

/** The nodes and their leases, requested before it is known how to watch the rest. */
export function listEarly(transport: Transport, {now, elapsed}: Timing) {
	const decoder = new Decoder();
	const startedAt = elapsed();
	const early = <T>(resource: Resource<T>): EarlyList<T> => ({
		begunAt: () => now() - (elapsed() - startedAt),
		// Whoever waits for it lists again, and learns why.
		listed: list(transport, resource).catch(() => undefined),
	});
	return {decoder, nodes: early(nodes(decoder)), leases: early(nodeLeases(decoder))};
}

export type EarlyLists = ReturnType<typeof listEarly>;
