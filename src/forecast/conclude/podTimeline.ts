import {ascending} from '../../core/collections/ascending.ts';
import type {Taint} from '../../core/model/taint.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import {beginningOfTime, type Duration, type Instant, never} from '../../core/time/instant.ts';
import {type TolerationOutcome, tolerationOf} from '../observe/countdowns/podTimers.ts';
import type {Interval} from '../observe/interval.ts';
import type {Occurrence} from '../simulate/occurrence.ts';
import type {TaintBounds} from '../simulate/taintBounds.ts';
import {isSyntheticTaint, type TaintMoment} from '../simulate/trajectory.ts';

/** An event for a pod in one trajectory, as the taint-eviction controller sees it. */
export type PodMoment =
	| (Pick<TaintMoment, 'at' | 'taints'> & {readonly type: 'taints'})
	| {readonly at: Instant; readonly type: 'tolerations'; readonly tolerations: readonly Toleration[]}
	/** The controllers stop, and with them every countdown; or new ones start, and check every pod. */
	| {readonly at: Instant; readonly type: 'controllersDown' | 'controllersStart'};

/** The state of a pod at the beginning. */
export type PodStart = Readonly<{
	tolerations: readonly Toleration[];
	/** When its countdown ends; undefined if none runs. */
	fires: Instant | undefined;
	/** When it ends if the present taint began it, as is usual. */
	usual: Interval | undefined;
	/** The taint of that countdown. */
	taint: Taint | undefined;
	tolerated: Duration | undefined;
	isControlled: boolean;
	comparisonOperators: boolean;
	/** Whether the eviction of its node deletes it without a taint, whatever it tolerates. */
	goesWithNode: boolean;
	/** Whether taints evict. */
	goesByTaint: boolean;
}>;

/** The same, with the unknowns of its countdown at one end, and at the other. */
export type PodStarts = {readonly early: PodStart; readonly late: PodStart};

/** The deletion of a pod, and its taint. */
export type Deletion = Readonly<{
	at: Instant;
	taint: Taint;
	tolerated: Duration;
	/** Whether its countdown ran already at the beginning. */
	isOld: boolean;
}>;

/** A pod's deletion in one run. */
type DeletionInRun = Occurrence & {readonly first: Deletion};

/**
 * When the taint-eviction controller deletes a pod: a running countdown is kept while the pod tolerates the taints for any
 * limited time, whatever changes.
 *
 * @param moments in order of time
 * @returns undefined if it does not
 */
export function deletionIn(start: PodStart, moments: readonly PodMoment[]): Deletion | undefined {
	let {tolerations, isControlled} = start;
	let taints: readonly Taint[] = [];
	let next = runningAt(start);
	for (const moment of moments) {
		if (next && next.at <= moment.at) return next;
		if (moment.type === 'taints') ({taints} = moment);
		else if (moment.type === 'tolerations') ({tolerations} = moment);
		else isControlled = moment.type === 'controllersStart';
		if (moment.type === 'controllersDown' || moment.type === 'controllersStart') {
			next = undefined;
			// New controllers do not know which nodes were evicted.
			taints = taints.filter((taint) => !isSyntheticTaint(taint));
		}
		// The state at the beginning has already led to the running countdown, or to none.
		if (!isControlled || moment.at === beginningOfTime) continue;
		next = afterLook(next, tolerationIn(start, tolerations, taints), moment.at);
	}
	return next;
}

/** Two controllers may delete it: the one for taints, or, without taints, the one for nodes. */
function tolerationIn(
	{comparisonOperators, goesWithNode, goesByTaint}: PodStart,
	tolerations: readonly Toleration[],
	taints: readonly Taint[],
): TolerationOutcome {
	const mark = taints.find(isSyntheticTaint);
	if (mark && goesWithNode) return {type: 'limited', tolerated: 0, taint: mark, isAtOnce: true};
	const real = goesByTaint ? taints.filter((taint) => !isSyntheticTaint(taint)) : [];
	return tolerationOf({tolerations}, real, comparisonOperators);
}

function runningAt({fires, taint, tolerated, isControlled}: PodStart): Deletion | undefined {
	if (fires === undefined || !taint || tolerated === undefined || !isControlled) return undefined;
	return {at: fires, taint, tolerated, isOld: true};
}

function afterLook(
	running: Deletion | undefined,
	toleration: TolerationOutcome,
	at: Instant,
): Deletion | undefined {
	if (toleration.type !== 'limited') return undefined;
	if (running && !toleration.isAtOnce) return running;
	const {tolerated, taint} = toleration;
	return {at: at + tolerated, taint, tolerated, isOld: false};
}

/** The changes of a node's taints, as events for its pods. */
const podMoments = (taints: readonly TaintMoment[]): readonly PodMoment[] =>
	taints.map(({at, taints}, index) => ({
		type: 'taints',
		at: index === 0 ? beginningOfTime : at,
		taints,
	}));

/** When a pod is deleted in one run: from the earliest to the latest instant in any bounds of its node's taints. */
export function deletionInRun(
	bounds: readonly TaintBounds[],
	starts: PodStarts,
	own: readonly PodMoment[],
): DeletionInRun | undefined {
	let first: Deletion | undefined;
	let hi = beginningOfTime;
	let odds: Pick<Occurrence, 'until' | 'chance' | 'places'> = {};
	const latestOf = (moments: readonly TaintMoment[] | undefined) =>
		moments && deletionIn(starts.late, inOrder(own, moments))?.at;
	for (const {early, late, mostly, places} of bounds) {
		const soonest = deletionIn(starts.early, inOrder(own, early));
		if (soonest && (!first || soonest.at < first.at)) first = soonest;
		hi = Math.max(hi, latestOf(late) ?? never);
		const until = latestOf(mostly?.late);
		if (mostly && until !== undefined) odds = {until, chance: mostly.chance};
		if (places) odds = {...odds, places};
	}
	if (!first) return undefined;
	const {fires, usual} = starts.late;
	if (first.isOld && fires !== undefined) odds = {until: fires, chance: 1};
	return {lo: first.at, hi, first, ...odds, ...(first.isOld && usual && {usual})};
}

/** A pod's own moments come before those of its node at the same instant: controllers stop or start before they act. */
export const inOrder = (own: readonly PodMoment[], taints: readonly TaintMoment[]): readonly PodMoment[] =>
	own.length === 0 ? podMoments(taints) : [...own, ...podMoments(taints)].toSorted(ascending(({at}) => at));
