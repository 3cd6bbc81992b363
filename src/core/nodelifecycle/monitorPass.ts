import type {VersionedNode} from '../client/clusterApi.ts';
import type {ConditionStatus} from '../model/node.ts';
import type {Instant} from '../time/instant.ts';

/** One look at the health of all nodes. While it lasts, the nodes are those listed at its start. */
export class MonitorPass {
	readonly startedAt: Instant;
	readonly nodes: readonly VersionedNode[];
	#next = 0;
	#busyWorkers: number;
	#readyByZone = new Map<string, (ConditionStatus | undefined)[]>();

	constructor(nodes: readonly VersionedNode[], workers: number, startedAt: Instant) {
		this.nodes = nodes;
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
		const statuses = this.#readyByZone.get(zone);
		if (statuses) statuses.push(ready);
		else this.#readyByZone.set(zone, [ready]);
	}

	get readyByZone(): ReadonlyMap<string, readonly (ConditionStatus | undefined)[]> {
		return this.#readyByZone;
	}

	/** A worker found nothing more to do; tells whether it was the last one. */
	workerEnds(): boolean {
		this.#busyWorkers -= 1;
		return this.#busyWorkers === 0;
	}

	fork(): MonitorPass {
		const copy = new MonitorPass(this.nodes, this.#busyWorkers, this.startedAt);
		copy.#next = this.#next;
		copy.#readyByZone = new Map([...this.#readyByZone].map(([zone, statuses]) => [zone, [...statuses]]));
		return copy;
	}
}
