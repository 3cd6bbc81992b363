import type {ConditionStatus} from '../core/model/node.ts';
import {isPodTerminal, type Pod, type PodOwner} from '../core/model/pod.ts';
import type {Instant} from '../core/time/instant.ts';
import type {TextMap} from '../text/textMap.ts';
import type {Range} from './range.ts';

/**
 * Scheduled: its countdown runs. Expected: it is deleted later if nothing changes. Overdue: it should be gone by now. Held:
 * it would be evicted, but evictions are stopped. Stays: it tolerates forever, or nothing evicts it though its node is in
 * trouble. Terminating: it is deleted already. Unsure: it may be deleted, or not, by what cannot be seen. Safe: its node is healthy.
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

/** Whether a pod of this verdict will be evicted if nothing changes. Unsure does not count: it must not raise alerts. */
export const willBeEvicted = (verdict: string): boolean =>
	verdict === 'Scheduled' || verdict === 'Expected' || verdict === 'Overdue';

/** Why a pod is, or would be, deleted. NodeEviction: without a taint, as in releases until 1.26. */
export type Cause = Readonly<{
	kind:
		| 'Taint'
		| 'NodeEviction'
		| 'NodeDeleted'
		| 'OutOfService'
		| 'NodePressure'
		| 'DeviceTaint'
		| 'NodeRepair'
		| 'NodeRemoval'
		| 'NodeShutdown'
		| 'EvictionRequest';
	/** `key:Effect`, where the kind is Taint or OutOfService; `key=value:Effect` for a device. */
	taint?: string;
	/** How long the pod tolerates it, in seconds; null if it does not tolerate it. */
	tolerationSeconds?: number | null;
	/** The device that is tainted, where the kind is DeviceTaint. */
	device?: string;
	driver?: string;
	pool?: string;
	/** Who ends its node, where the kind is NodeRepair (as it is unhealthy) or NodeRemoval; who asks for its eviction, where it is EvictionRequest. */
	by?: string;
	/** The signals that run short, where the kind is NodePressure; several if it is open which evicts first. */
	signals?: readonly string[];
}>;

/** Whether the cause evicts from healthy nodes, too: neither the return of a node nor a toleration helps. */
export const isOfLivingNode = (cause: Cause | null | undefined) =>
	cause != null && ofLivingNode.includes(cause.kind);

const ofLivingNode: readonly Cause['kind'][] = [
	'NodePressure',
	'DeviceTaint',
	'NodeRemoval',
	'NodeShutdown',
	'EvictionRequest',
];

/** What prevents an eviction, and what resumes it: a held pod must not be mistaken for a safe one. */
export type Held = Readonly<{
	by: string;
	since: Instant | null;
	releasedBy: string;
	/** When it would be evicted if evictions resumed at the instant of the forecast. */
	ifReleasedNow: Range;
}>;

/** A step of the reasoning as data. */
export type Reason = {
	/** `ToleratesForEver`, `ZoneStopped`: as the reasons of `explain`; `NodeTainted` for the taint that a countdown runs for. */
	readonly code: string;
	/** What its sentence names: `taints`. */
	readonly params: TextMap;
	/** The index of its sentence in `because`. */
	readonly sentence: number;
};

/** A volume that is attached to a pod's node and that no other node can attach meanwhile. */
export type HeldVolume = {readonly claim: string; readonly volume: string};

export type After = Readonly<{
	/**
	 * Replaced: its owner creates another, or has. StuckTerminating: no kubelet can end it. Blocked: its owner waits for its
	 * end, or for another pod; a safe pod that waits for a volume. Lost: nothing creates another. NotNeeded: its owner wants no other. Restarted: its kubelet does.
	 * Stays: it is not deleted. Unknown: its owner is unknown.
	 */
	outcome:
		| ('Replaced' | 'StuckTerminating' | 'Blocked' | 'Lost' | 'NotNeeded')
		| ('Restarted' | 'Stays' | 'Unknown');
	detail: string;
	/**
	 * How long after its deletion is requested its replacement is ready, at least and usually at most, in seconds; null where nothing
	 * tells that. Absent if none is without somebody's doing.
	 */
	readyAfter?: {readonly least: number; readonly most: number | null};
	/** Whether its replacement fits on a node at present; Unknown if that depends on something unknown. */
	placement?: 'Fits' | 'None' | 'Unknown';
	/** Volumes that stay attached to its node and block its replacement; absent if there are none. */
	volumes?: readonly HeldVolume[];
	/** Its status still says Running, though its kubelet cannot report. */
	ghost?: true;
}>;

/** What happens to one pod if nothing else changes, and why. */
export type PodForecast = Readonly<{
	namespace: string;
	name: string;
	uid: string;
	node: string;
	/** As people read it: `region/zone`. */
	zone: string;
	labels: TextMap;
	/** What controls it; absent if nothing does. */
	owner?: PodOwner | undefined;
	priority?: number | undefined;
	/** From the pod's status. */
	phase?: string | undefined;
	ready?: ConditionStatus | undefined;
	/** The Pod as observed; absent in forecasts that were not made from one. */
	object?: Pod | undefined;
	verdict: PodVerdict;
	/** When its deletion is requested; for an Overdue pod, when it was due. Null unless Scheduled, Expected, Overdue or Unsure. */
	eviction: Range | null;
	cause: Cause | null;
	held: Held | null;
	/** What may end it, the first to come first, if that is more than one. */
	endings?: readonly Coming[] | undefined;
	/** The reasoning, one sentence per step. */
	because: readonly string[];
	/** The steps of it that programs may tell apart; absent if there are none. */
	reasons?: readonly Reason[] | undefined;
	after: After | null;
	/** Whether its release is older than any whose rules are known, so that no times are told. */
	isUntold?: true;
}>;

/** What may end a pod, judged on its own. */
export type Coming = Pick<PodForecast, 'verdict' | 'cause' | 'held'> & {
	readonly eviction: Range;
	/** Whether it is too uncertain to change a pod that would stay, or to be what most likely ends it. */
	readonly isDoubtful?: boolean;
	/** Whether the Node goes with it: a taint that the Node does not have by then never comes. */
	readonly endsNode?: boolean;
};

/** What is concluded on a pod, beside what its object shows. */
type OnPod = Pick<PodForecast, 'verdict' | 'eviction' | 'cause' | 'held' | 'endings' | 'because' | 'reasons'>;

/**
 * The forecast of a pod.
 *
 * @param zone as people read it
 * @param status the part of its status that is shown
 */
export function forecastOf(
	pod: Pod,
	zone: string,
	on: OnPod,
	status: Pick<PodForecast, 'phase' | 'ready'> = pod,
): PodForecast {
	// Key by key: spreads take several times as long, and a large cluster has 150,000 pods.
	const forecast: PodForecast = {
		namespace: pod.namespace,
		name: pod.name,
		uid: pod.uid,
		node: pod.nodeName,
		zone,
		labels: pod.labels,
		owner: pod.owner,
		priority: pod.priority,
		phase: status.phase,
		ready: status.ready,
		object: pod,
		verdict: on.verdict,
		eviction: on.eviction,
		cause: on.cause,
		held: on.held,
		because: on.because,
		reasons: on.reasons,
		after: null,
	};
	return on.endings ? {...forecast, endings: on.endings} : forecast;
}

/** Whether its kubelet ended a pod that has ended. */
export const isEndedByKubelet = ({cause}: PodForecast) =>
	cause?.kind === 'NodePressure' || cause?.kind === 'NodeShutdown';

/** Whether the workload loses or has lost the pod: in trouble, or ended by its kubelet. Ended pods of a Job do not count. */
export const isLost = ({verdict, phase, cause, owner}: PodForecast) =>
	verdict !== 'Safe' || (isPodTerminal({phase}) && cause !== null && owner?.kind !== 'Job');

/** The verdict as shown: a pod that has ended, and whose object nothing evicts, is `Ended`. */
export const shownVerdict = ({
	phase,
	verdict,
}: Pick<PodForecast, 'phase' | 'verdict'>): PodVerdict | 'Ended' =>
	isPodTerminal({phase}) && (verdict === 'Safe' || verdict === 'Stays') ? 'Ended' : verdict;
