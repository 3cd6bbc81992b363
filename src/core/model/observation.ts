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
	| {readonly type: 'leaseDeleted'; readonly namespace: string; readonly name: string};
