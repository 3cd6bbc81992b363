import type {ConditionStatus} from '../core/model/node.ts';
import {isPodTerminal, type Pod, type PodOwner} from '../core/model/pod.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Range} from './range.ts';

/**
 * Scheduled: the timer runs. Expected: a deletion follows if nothing changes. Overdue: it should have gone.
 * Held: it would be evicted, but evictions are stopped. Stays: tolerates for ever, or nothing evicts it though its
 * node is in trouble. Terminating: its deletion was asked for. Unsure: too little can be seen. Safe: its node is well.
 */
export type PodVerdict =
	| 'Scheduled'
	| 'Expected'
	| 'Overdue'
	| 'Held'
	| 'Stays'
	| 'Terminating'
	| 'Unsure'
	| 'Safe';

/** Whether a pod of a verdict will be evicted if nothing changes. What is Unsure is not: nobody is called for it. */
export const willBeEvicted = (verdict: string): boolean =>
	verdict === 'Scheduled' || verdict === 'Expected' || verdict === 'Overdue';

/** What a pod is, or would be, deleted for. NodeEviction: without a taint, as releases up to 1.26 could. */
export type Cause = {
	readonly kind:
		| 'Taint'
		| 'NodeEviction'
		| 'NodeDeleted'
		| 'OutOfService'
		| 'NodePressure'
		| 'DeviceTaint'
		| 'NodeRepair'
		| 'NodeShutdown';
	/** `key:Effect`, where the kind is Taint or OutOfService; `key=value:Effect` of a device. */
	readonly taint?: string;
	/** How long the pod tolerates it, in seconds; null where it does not at all. */
	readonly tolerationSeconds?: number | null;
	/** The device that is tainted, where the kind is DeviceTaint. */
	readonly device?: string;
	readonly driver?: string;
	readonly pool?: string;
	/** Who replaces its node, where the kind is NodeRepair. */
	readonly by?: string;
	/** What runs short, where the kind is NodePressure; several where chance decides. */
	readonly signals?: readonly string[];
};

/** Whether it evicts from nodes that are well: no return of a node, and no toleration of the pod, helps. */
export const isOfLivingNode = (cause: Cause | null | undefined): boolean =>
	cause?.kind === 'NodePressure' || cause?.kind === 'DeviceTaint' || cause?.kind === 'NodeShutdown';

/** What keeps an eviction from happening. The most dangerous word on the screen, so it says what ends it. */
export type Held = {
	readonly by: string;
	readonly since: Instant | null;
	readonly releasedBy: string;
	/** The eviction, were it released at the instant of the forecast. */
	readonly ifReleasedNow: Range;
};

/** A volume that is attached to a pod's node and that no other node can attach meanwhile. */
export type HeldVolume = {readonly claim: string; readonly volume: string};

/** What becomes of the pod once its deletion is asked for. */
export type After = {
	/**
	 * Replaced: its owner makes another, or has made it. StuckTerminating: nobody can end it. Blocked: its owner waits for its end. Lost:
	 * nothing makes another. Restarted: its kubelet does. Stays: it is not deleted. Unknown: its owner is not known here.
	 */
	readonly outcome: 'Replaced' | 'StuckTerminating' | 'Blocked' | 'Lost' | 'Restarted' | 'Stays' | 'Unknown';
	readonly detail: string;
	/** Whether the one that replaces it finds a node, as things are; Unknown where that hangs on what is not known. */
	readonly placement?: 'Fits' | 'None' | 'Unknown';
	/** Its volumes that stay attached to its node, and hold the one that replaces it back; absent where there are none. */
	readonly volumes?: readonly HeldVolume[];
	/** It still says Running, though nobody on its node can tell. */
	readonly ghost?: true;
};

/** What happens to one pod if nothing else changes, and why. */
export type PodForecast = {
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	readonly node: string;
	/** As people read it: `region/zone`. */
	readonly zone: string;
	readonly labels: Readonly<Record<string, string>>;
	/** What controls it; absent where nothing does. */
	readonly owner?: PodOwner | undefined;
	readonly priority?: number | undefined;
	/** What the pod itself says. */
	readonly phase?: string;
	readonly ready?: ConditionStatus | undefined;
	readonly verdict: PodVerdict;
	/** Null unless Scheduled, Expected, Overdue or Unsure. */
	readonly eviction: Range | null;
	readonly cause: Cause | null;
	readonly held: Held | null;
	/** What its taints do, where the repair of its node comes first; absent elsewhere. */
	readonly withoutRepair?: {readonly eviction: Range; readonly cause: Cause | null};
	/** The reasoning, one sentence a step. */
	readonly because: readonly string[];
	readonly after: After | null;
};

/** Which pod a forecast is of, and what it is grouped and chosen by. */
type PodIdentity = Pick<
	PodForecast,
	'namespace' | 'name' | 'uid' | 'node' | 'zone' | 'labels' | 'owner' | 'priority'
>;

/** The part of a forecast that tells which pod it is of. @param zone as people read it */
export function identityOf(
	{namespace, name, uid, nodeName: node, labels, owner, priority}: Pod,
	zone: string,
): PodIdentity {
	return {namespace, name, uid, node, zone, labels, owner, priority};
}

/** Whether a pod has ended, and nothing evicts what is left of it. */
const hasEnded = ({phase, verdict}: Pick<PodForecast, 'phase' | 'verdict'>): boolean =>
	isPodTerminal({phase}) && (verdict === 'Safe' || verdict === 'Stays');

/** Whether its workload loses it, or has: it is in trouble, or its kubelet ended it. A Job keeps pods that ended, done or not. */
export const isLost = ({
	verdict,
	phase,
	cause,
	owner,
}: Pick<PodForecast, 'verdict' | 'phase' | 'cause' | 'owner'>): boolean =>
	verdict !== 'Safe' || (isPodTerminal({phase}) && cause !== null && owner?.kind !== 'Job');

/** The verdict as people read it: a pod that has ended is not called safe. */
export const shownVerdict = (pod: Pick<PodForecast, 'phase' | 'verdict'>): PodVerdict | 'Ended' =>
	hasEnded(pod) ? 'Ended' : pod.verdict;
