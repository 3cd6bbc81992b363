import type {VersionedNode} from '../client/clusterApi.ts';
import {kept} from '../collections/kept.ts';
import type {ConditionStatus} from '../model/node.ts';
import type {Instant} from '../time/instant.ts';
import type {CountByZone} from './zones/zones.ts';

/** One health check of all nodes. It uses the list of nodes from its start. */
export class MonitorPass {
	readonly startedAt: Instant;
	readonly nodes: readonly VersionedNode[];
	#next = 0;
	#busyWorkers: number;
	#counts: Map<string, {size: number; notReady: number}>;

	/**
	 *
	 * @param others nodes that count for their zones without being checked, as healthy nodes do in a forecast
	 * @param done nodes that were already checked and are counted in `others`
	 */
	constructor(
		nodes: readonly VersionedNode[],
		others: CountByZone,
		workers: number,
		startedAt: Instant,
		done: readonly VersionedNode[] = [],
	) {
		this.nodes = done.length > 0 ? [...done, ...nodes] : nodes;
		this.#next = done.length;
		this.#counts = new Map([...others].map(([zone, count]) => [zone, {...count}]));
		this.startedAt = startedAt;
		this.#busyWorkers = workers;
	}

	/** The next node that no worker has taken. */
	take(): VersionedNode | undefined {
		return this.nodes[this.#next++];
	}

	count(zone: string, ready: ConditionStatus | undefined) {
		// Changed in place, as every pass counts every node.
		const counted = kept(this.#counts, zone, () => ({size: 0, notReady: 0}));
		counted.size += 1;
		if (ready !== 'True') counted.notReady += 1;
	}

	get counts(): CountByZone {
		return this.#counts;
	}

	/** Ends one worker; returns whether it was the last. */
	workerEnds(): boolean {
		this.#busyWorkers -= 1;
		return this.#busyWorkers === 0;
	}

	fork(): MonitorPass {
		const copy = new MonitorPass(this.nodes, this.#counts, this.#busyWorkers, this.startedAt);
		copy.#next = this.#next;
		return copy;
	}
}
