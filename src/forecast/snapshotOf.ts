import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {Observation} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';

/** The state that a watch found when it began, as one look at the cluster. */
export function snapshotOf(observations: readonly Observation[], observedAt: Instant): ClusterSnapshot {
	return {
		observedAt,
		source: 'cluster',
		nodes: observations.flatMap((one) => (one.type === 'nodeApplied' ? [one.node] : [])),
		pods: observations.flatMap((one) => (one.type === 'podApplied' ? [one.pod] : [])),
		leases: observations.flatMap((one) => (one.type === 'leaseApplied' ? [one.lease] : [])),
		problems: [],
	};
}
