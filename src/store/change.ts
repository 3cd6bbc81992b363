import type {ClusterEvent} from '../core/model/clusterEvent.ts';
import type {DeviceObject} from '../core/model/device.ts';
import type {Lease} from '../core/model/lease.ts';
import type {Node} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import type {Pod} from '../core/model/pod.ts';
import type {RepairObject} from '../core/model/repairObject.ts';

type Kinds = {
	node: Node;
	pod: Pod;
	lease: Lease;
	deviceObject: DeviceObject;
	event: ClusterEvent;
	repair: RepairObject;
};

/** An observation, with the stored object as it was before; undefined if there was none. */
export type StoreChange = {
	[Name in keyof Kinds]: Extract<Observation, {readonly type: `${Name}Applied` | `${Name}Deleted`}> & {
		readonly before: Kinds[Name] | undefined;
	};
}[keyof Kinds];

/** The pod whose deletion this change shows first; undefined if it shows none, or the pod was already terminating. */
export function deletedIn(change: StoreChange): Pod | undefined {
	if (change.type === 'podDeleted')
		return change.before?.deletionTimestamp === undefined ? change.before : undefined;
	if (change.type !== 'podApplied' || change.pod.deletionTimestamp === undefined) return undefined;
	const {before, pod} = change;
	return before?.uid === pod.uid && before.deletionTimestamp === undefined ? pod : undefined;
}
