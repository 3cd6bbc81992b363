import type {ClusterEvent} from './clusterEvent.ts';
import type {ClusterSnapshot} from './clusterSnapshot.ts';
import type {Lease} from './lease.ts';
import type {Node} from './node.ts';
import type {Observation} from './observation.ts';
import {type Pod, podKey} from './pod.ts';

/** What there is of a cluster after all that was heard of it. */
export class PresentState {
	readonly #nodes = new Map<string, Node>();
	readonly #pods = new Map<string, Pod>();
	readonly #leases = new Map<string, Lease>();
	readonly #events = new Map<string, ClusterEvent>();

	/** Takes in what was heard. */
	observe(observations: readonly Observation[]): void {
		for (const observation of observations) this.#apply(observation);
	}

	/** All of it; leases that were never seen may not be read. */
	get present(): Pick<ClusterSnapshot, 'nodes' | 'pods' | 'leases' | 'events'> {
		const leases = [...this.#leases.values()];
		return {
			nodes: [...this.#nodes.values()],
			pods: [...this.#pods.values()],
			leases: leases.length > 0 ? leases : undefined,
			events: [...this.#events.values()],
		};
	}

	/** As it would be told to somebody who comes late: nodes first, what was reported last. */
	get asObservations(): readonly Observation[] {
		const {nodes, pods, leases = [], events = []} = this.present;
		return [
			...nodes.map((node): Observation => ({type: 'nodeApplied', node})),
			...leases.map((lease): Observation => ({type: 'leaseApplied', lease})),
			...pods.map((pod): Observation => ({type: 'podApplied', pod})),
			...events.map((event): Observation => ({type: 'eventApplied', event})),
		];
	}

	#apply(observation: Observation): void {
		switch (observation.type) {
			case 'nodeApplied':
				this.#nodes.set(observation.node.name, observation.node);
				break;
			case 'nodeDeleted':
				this.#nodes.delete(observation.name);
				break;
			case 'podApplied':
				this.#pods.set(podKey(observation.pod), observation.pod);
				break;
			case 'podDeleted':
				this.#pods.delete(podKey(observation));
				break;
			case 'leaseApplied':
				this.#leases.set(podKey(observation.lease), observation.lease);
				break;
			case 'leaseDeleted':
				this.#leases.delete(podKey(observation));
				break;
			case 'eventApplied':
				this.#events.set(podKey(observation.event), observation.event);
				break;
			case 'eventDeleted':
				this.#events.delete(podKey(observation));
				break;
		}
	}
}
