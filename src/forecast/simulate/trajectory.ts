import type {Pod} from '../../core/model/pod.ts';
import {isNodeLifecycleTaint, type Taint} from '../../core/model/taint.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';
import type {ZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';

/** The NoExecute taints of a node from an instant on. */
export type TaintMoment = Readonly<{
	at: Instant;
	taints: readonly Taint[];
	/** Whether a supposed change made them, so that their instant is exact. */
	isExact: boolean;
	/** Whether they come after the end of the run, by a token at a steady rate. */
	isAfterEnd?: boolean;
}>;

/** A change of a node's Ready condition. */
export type ReadinessMoment = {
	readonly at: Instant;
	readonly isReady: boolean;
	/** Whether the controller turned it Unknown. */
	readonly isUnknown: boolean;
};

export type NodeTrajectory = Readonly<{
	/** The first entry is the state at the beginning. */
	taints: readonly TaintMoment[];
	/** When its Ready condition changes to anything but True, or back to True. */
	readiness: readonly ReadinessMoment[];
	/** When the Node object is deleted. */
	goneAt: Instant | undefined;
	/** Whether its kubelet is silent at the end and no pass has found that: none has reached it, or no controller manager runs. */
	isUnnoticed: boolean;
}>;

/** A zone from an instant on, as the controller sees it; the rate is 0 if it is stopped. */
export type ZoneMoment = Readonly<{
	/** The earliest start: zones are sampled at intervals. */
	from: Instant;
	/** When it has certainly started. */
	at: Instant;
	state: ZoneState | '';
	rate: number;
}>;

/** The course of the cluster from one hidden state. */
export type Trajectory = Readonly<{
	nodes: ReadonlyMap<string, NodeTrajectory>;
	zones: ReadonlyMap<string, readonly ZoneMoment[]>;
	/** When the first pass began that throttling makes long; undefined if there is none. */
	throttledFrom: Instant | undefined;
	/** When the last such pass is over; undefined if there is none, or if it may go on after the end. */
	throttledUntil: Instant | undefined;
	endsAt: Instant;
	/** Whether a controller manager runs at the end. */
	isControlled: boolean;
	/** The nodes that waited for their eviction at the beginning. */
	queued: ReadonlySet<string>;
	/** The nodes that wait for their eviction at the end, by zone. */
	waiting: ReadonlyMap<string, readonly string[]>;
	/** The tokens that each zone's queue gets after the end; none if it is stopped. */
	tokens: ReadonlyMap<string, Tokens>;
	/** Without taints, when the timeout of each node ends that is not ready at the end. */
	due: ReadonlyMap<string, Instant>;
	/** When passes with something to write begin, after the first: the controller was idle before each. */
	passStarts: readonly Instant[];
	/** Whether a monitor pass is in progress at the end. */
	isPassing: boolean;
}>;

/** A steady flow of tokens. */
export type Tokens = {readonly first: Instant; readonly every: Duration};

/** The effects of a trajectory on the nodes, by kind. */
export type Outcome = {
	/** When each node first turns Unknown. */
	readonly unknown: ReadonlyMap<string, Instant>;
	/** When each node's Ready condition first turns True. */
	readonly ready: ReadonlyMap<string, Instant>;
	/**
	 * From when to when each node has a NoExecute taint of the controller; without taints, from when its pods are deleted until
	 * it is ready again.
	 */
	readonly spells: ReadonlyMap<string, readonly Spell[]>;
};

/** A time with a NoExecute taint of the controller; a swap for the opposite taint does not end it. */
export type Spell = {readonly from: Instant; readonly to: Instant | undefined};

/** The effects of a trajectory up to its end, without the tokens after it. */
export function outcomeOf({nodes}: Trajectory): Outcome {
	const unknown = new Map<string, Instant>();
	const ready = new Map<string, Instant>();
	const spells = new Map<string, readonly Spell[]>();
	for (const [name, {readiness, taints}] of nodes) {
		const turned = readiness.find(({isUnknown}) => isUnknown)?.at;
		if (turned !== undefined) unknown.set(name, turned);
		const back = readiness.find(({isReady}) => isReady)?.at;
		if (back !== undefined) ready.set(name, back);
		const ofNode = spellsIn(taints);
		if (ofNode.length > 0) spells.set(name, ofNode);
	}
	return {unknown, ready, spells};
}

/** When a node gets the taint that it has at the end of a run, if that is still to come. */
export function lastTaint({spells}: Outcome, node: string, now: Instant): Instant | undefined {
	const last = spells.get(node)?.at(-1);
	return last && last.to === undefined && last.from >= now ? last.from : undefined;
}

function spellsIn(moments: readonly TaintMoment[]): readonly Spell[] {
	const spells: Spell[] = [];
	for (const [index, {at, taints, isAfterEnd}] of moments.entries()) {
		if (isAfterEnd) continue;
		const last = spells.at(-1);
		const isOn = last !== undefined && last.to === undefined;
		const hasOwn = taints.some(isOwn);
		if (hasOwn && !isOn) spells.push({from: index === 0 ? beginningOfTime : at, to: undefined});
		if (!hasOwn && isOn) spells[spells.length - 1] = {...last, to: at};
	}
	return spells;
}

/**
 * Stands for an eviction without a taint (until 1.26) in a trajectory: it is added when the node lifecycle controller starts
 * to delete the pods of a node, and removed when the node is ready again. No cluster ever shows it.
 */
export const syntheticTaint: Taint = {
	key: 'evictwatch.dev/evicted-without-taint',
	value: '',
	effect: 'NoExecute',
};

export const isSyntheticTaint = ({key}: Taint) => key === syntheticTaint.key;

/** Whether a taint is one of the node lifecycle controller's, or stands for an eviction without a taint. */
export const isOwn = (taint: Taint) => isNodeLifecycleTaint(taint) || isSyntheticTaint(taint);

/** Whether such an eviction deletes a pod, whatever its tolerations. */
export const goesBySyntheticTaint = (pod: Pod): boolean => !belongsToDaemonSet(pod);
