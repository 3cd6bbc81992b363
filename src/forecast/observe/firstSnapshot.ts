import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Instant} from '../../core/time/instant.ts';

/**
 * The initial list of a watch, which its first batch brings, as a snapshot. No lease of any node means
 * that they may not be read.
 */
export function snapshotOfFirstLook(
	observations: readonly Observation[],
	observedAt: Instant,
): ClusterSnapshot {
	const nodes: Node[] = [];
	const pods: Pod[] = [];
	const leases: Lease[] = [];
	const events: ClusterEvent[] = [];
	for (const one of observations) {
		if (one.type === 'nodeApplied') nodes.push(one.node);
		else if (one.type === 'podApplied') pods.push(one.pod);
		else if (one.type === 'leaseApplied') leases.push(one.lease);
		else if (one.type === 'eventApplied') events.push(one.event);
	}
	const leaderLease = leases.find(isControllerManagerLease);
	return {
		observedAt,
		source: 'cluster',
		...{nodes, pods, events},
		leases: leases.some(({namespace}) => namespace === nodeLeaseNamespace) ? leases : undefined,
		...(leaderLease && {leaderLease}),
		problems: [],
	};
}

/** Whether a snapshot shows that leases can be read: that of a node without one is missing, not hidden. */
export const canReadLeases = ({leases, nodes, source}: ClusterSnapshot): boolean =>
	nodes.length > 0 && leases !== undefined && (source === 'cluster' || leases.some(isControllerManagerLease));
