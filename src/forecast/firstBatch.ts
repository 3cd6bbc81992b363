import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {Observation} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';

/** The first batch of a watch as a list: the state as the watch found it. */
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
