import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import {isControllerManagerLease, nodeLeaseNamespace} from '../core/model/lease.ts';
import type {Observation} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';

/**
 * The state as a watch found it, which its first batch brings: a first look like any other. No lease of any node means
 * that they may not be read.
 */
export function openingSnapshot(observations: readonly Observation[], observedAt: Instant): ClusterSnapshot {
	const leases = observations.flatMap((one) => (one.type === 'leaseApplied' ? [one.lease] : []));
	const leaderLease = leases.find(isControllerManagerLease);
	return {
		observedAt,
		source: 'cluster',
		nodes: observations.flatMap((one) => (one.type === 'nodeApplied' ? [one.node] : [])),
		pods: observations.flatMap((one) => (one.type === 'podApplied' ? [one.pod] : [])),
		leases: leases.some(({namespace}) => namespace === nodeLeaseNamespace) ? leases : undefined,
		...(leaderLease && {leaderLease}),
		events: observations.flatMap((one) => (one.type === 'eventApplied' ? [one.event] : [])),
		problems: [],
	};
}
