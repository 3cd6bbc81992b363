import type {ClusterEvent} from './clusterEvent.ts';
import type {Lease} from './lease.ts';
import type {Node} from './node.ts';
import type {Pod} from './pod.ts';

/** Something the API server told us. Deletions carry the key alone. */
export type Observation =
	| {readonly type: 'nodeApplied'; readonly node: Node}
	| {readonly type: 'nodeDeleted'; readonly name: string}
	| {readonly type: 'podApplied'; readonly pod: Pod}
	| {readonly type: 'podDeleted'; readonly namespace: string; readonly name: string}
	| {readonly type: 'leaseApplied'; readonly lease: Lease}
	| {readonly type: 'leaseDeleted'; readonly namespace: string; readonly name: string}
	| {readonly type: 'eventApplied'; readonly event: ClusterEvent}
	/** Events are kept for an hour; that one is gone tells nothing. */
	| {readonly type: 'eventDeleted'; readonly namespace: string; readonly name: string};
