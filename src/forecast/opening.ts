import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {Observation} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';

/** The state as a watch found it, which its first batch brings: a first look like any other. */
export function openingSnapshot(observations: readonly Observation[], observedAt: Instant): ClusterSnapshot {
	return {
		observedAt,
		source: 'cluster',
		nodes: observations.flatMap((one) => (one.type === 'nodeApplied' ? [one.node] : [])),
		pods: observations.flatMap((one) => (one.type === 'podApplied' ? [one.pod] : [])),
		leases: observations.flatMap((one) => (one.type === 'leaseApplied' ? [one.lease] : [])),
		events: observations.flatMap((one) => (one.type === 'eventApplied' ? [one.event] : [])),
		problems: [],
	};
}
