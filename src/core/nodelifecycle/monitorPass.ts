import type {VersionedNode} from '../client/clusterApi.ts';
import type {ConditionStatus} from '../model/node.ts';
import type {Instant} from '../time/instant.ts';
import {countNode, type ZoneCount} from './zones/zoneState.ts';
import type {CountByZone} from './zones/zones.ts';

/** How many nodes a pass looks at side by side. */
export const monitorWorkers = 8;

/** One look at the health of all nodes. While it lasts, the nodes are those listed at its start. */
export class MonitorPass {
	readonly startedAt: Instant;
	readonly nodes: readonly VersionedNode[];
	#next = 0;
	#busyWorkers: number;
	#counts: Map<string, ZoneCount>;

	/**
	 * @param others nodes that count for their zones without being looked at: a forecast leaves out those that are well
	 * @param done the nodes that it has looked at already; they count among the others
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
		this.#counts = new Map(others);
		this.startedAt = startedAt;
		this.#busyWorkers = workers;
	}

	/** The next node that no worker has taken. */
	take(): VersionedNode | undefined {
		return this.nodes[this.#next++];
	}

	/** How many nodes are not looked at yet. */
	get left(): number {
		return Math.max(0, this.nodes.length - this.#next);
	}

	/** Counts a node for its zone. */
	count(zone: string, ready: ConditionStatus | undefined): void {
		countNode(this.#counts, zone, ready === 'True');
	}

	get counts(): CountByZone {
		return this.#counts;
	}

	/** A worker found nothing more to do; tells whether it was the last one. */
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
