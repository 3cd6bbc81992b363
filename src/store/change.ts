import type {ClusterEvent} from '../core/model/clusterEvent.ts';
import type {DeviceObject} from '../core/model/device.ts';
import type {Lease} from '../core/model/lease.ts';
import type {Node} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import type {Pod} from '../core/model/pod.ts';
import type {RepairObject} from '../core/model/repairObject.ts';

type Of<Type extends Observation['type'], Kind> = Extract<Observation, {type: Type}> & {
	/** The stored object before the change; undefined if there was none. */
	readonly before: Kind | undefined;
};

/** An observation, with the object as it was before. */
export type StoreChange =
	| Of<'nodeApplied', Node>
	| Of<'nodeDeleted', Node>
	| Of<'podApplied', Pod>
	| Of<'podDeleted', Pod>
	| Of<'leaseApplied', Lease>
	| Of<'leaseDeleted', Lease>
	| Of<'deviceObjectApplied', DeviceObject>
	| Of<'deviceObjectDeleted', DeviceObject>
	| Of<'eventApplied', ClusterEvent>
	| Of<'eventDeleted', ClusterEvent>
	| Of<'repairApplied', RepairObject>
	| Of<'repairDeleted', RepairObject>;

/** The pod whose deletion this change shows first; undefined if it shows none, or the pod was already terminating. */
export function deletedIn(change: StoreChange): Pod | undefined {
	if (change.type === 'podDeleted')
		return change.before?.deletionTimestamp === undefined ? change.before : undefined;
	if (change.type !== 'podApplied' || change.pod.deletionTimestamp === undefined) return undefined;
	const {before, pod} = change;
	return before?.uid === pod.uid && before.deletionTimestamp === undefined ? pod : undefined;
}
