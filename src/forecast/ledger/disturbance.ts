import type {DeviceObject} from '../../core/model/device.ts';
import {hasNewLeader, isControllerManagerLease} from '../../core/model/lease.ts';
import {type Node, readyStatus} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {hasTaint, isNodeLifecycleTaint, type Taint} from '../../core/model/taint.ts';
import {isSameTolerations} from '../../core/model/toleration.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {StoreChange} from '../../store/change.ts';

/**
 * An event from outside, or of new controllers, after which earlier predictions may no longer hold. Each keeper of
 * predictions decides by the cause which of them it ends.
 */
export type Disturbance =
	| {readonly type: 'leader'}
	/** Of a node: the zones may change, and with them everything predicted for nodes. */
	| {readonly type: 'nodes'}
	/** The pods of one node get other countdowns. */
	| {
			readonly type: 'podsOf';
			readonly node: string;
			/** `taintReplaced`: the controllers' own taints replaced each other, which keeps a countdown. */
			readonly cause:
				| ('nodeNew' | 'nodeGone')
				| ('taintLost' | 'taintReplaced' | 'taintGiven' | 'taintGivenByOthers');
	  }
	| {
			readonly type: 'pod';
			readonly uid: string;
			/** `replaced`: another pod has its name, and its deletion was not seen. */
			readonly cause: 'changed' | 'replaced' | 'device' | 'deletedByOthers';
	  };

type UsersOf = (object: DeviceObject) => readonly string[];

/**
 * Finds what a change disturbs. Deletions of pods are not included: the callers know whose they are.
 *
 * @param usersOf finds the UIDs of the pods whose eviction may depend on a device object
 */
export function disturbancesOf(change: StoreChange, usersOf: UsersOf = () => []): readonly Disturbance[] {
	switch (change.type) {
		case 'nodeApplied':
			return ofNode(change.before, change.node);
		case 'nodeDeleted':
			return [{type: 'nodes'}, {type: 'podsOf', node: change.name, cause: 'nodeGone'}];
		case 'podApplied':
			return ofPod(change.before, change.pod);
		case 'leaseApplied': {
			const isNew = isControllerManagerLease(change.lease) && hasNewLeader(change.before, change.lease);
			return isNew ? [{type: 'leader'}] : [];
		}
		case 'deviceObjectApplied':
			return ofDevice(change.before, change.object, usersOf);
		case 'deviceObjectDeleted':
			return ofDevice(change.before, undefined, usersOf);
		default:
			return [];
	}
}

function ofNode(known: Node | undefined, node: Node): readonly Disturbance[] {
	const {name} = node;
	if (known?.uid !== node.uid)
		return [{type: 'nodes'}, {type: 'podsOf', node: name, cause: known ? 'nodeGone' : 'nodeNew'}];
	const [old, ready] = [readyStatus(known), readyStatus(node)];
	const isOther = zoneKey(known) !== zoneKey(node) || (old !== ready && ready !== 'Unknown');
	const found: Disturbance[] = isOther ? [{type: 'nodes'}] : [];
	const {lost, given, isSwap} = taintChange(known, node);
	if (lost.length > 0)
		found.push({type: 'podsOf', node: name, cause: isSwap ? 'taintReplaced' : 'taintLost'});
	else if (given.length > 0 && !isSwap) {
		const cause = given.every(isNodeLifecycleTaint) ? 'taintGiven' : 'taintGivenByOthers';
		found.push({type: 'podsOf', node: name, cause});
	}
	return found;
}

/** How a node's NoExecute taints changed; `isSwap` if the controllers' own replaced each other. */
export function taintChange(before: Node, node: Node) {
	const [old, young] = [noExecuteTaints(before), noExecuteTaints(node)];
	const lost = old.filter((taint) => !hasTaint(young, taint));
	const given = young.filter((taint) => !hasTaint(old, taint) || isAddedAgain(taint, old));
	const isSwap =
		[...lost, ...given].every(isNodeLifecycleTaint) &&
		[old, young].every((all) => all.some(isNodeLifecycleTaint));
	return {lost, given, isSwap};
}

const isAddedAgain = (taint: Taint, old: readonly Taint[]) =>
	old.some(
		({key, effect, timeAdded}) =>
			key === taint.key && effect === taint.effect && timeAdded !== taint.timeAdded,
	);

function ofPod(before: Pod | undefined, pod: Pod): readonly Disturbance[] {
	if (!before) return [];
	const {uid} = before;
	if (uid !== pod.uid) return [{type: 'pod', uid, cause: 'replaced'}];
	if (before.deletionTimestamp !== undefined || pod.deletionTimestamp !== undefined) return [];
	const isSame = isSameTolerations(before.tolerations, pod.tolerations) && before.nodeName === pod.nodeName;
	return isSame ? [] : [{type: 'pod', uid, cause: 'changed'}];
}

/** A device is tainted or allocated by others: its pods may be deleted at another time. */
function ofDevice(
	before: DeviceObject | undefined,
	after: DeviceObject | undefined,
	usersOf: UsersOf,
): readonly Disturbance[] {
	if (JSON.stringify(before) === JSON.stringify(after)) return [];
	const uids = [before, after].flatMap((object) => (object ? usersOf(object) : []));
	return uids.map((uid) => ({type: 'pod', uid, cause: 'device'}));
}
