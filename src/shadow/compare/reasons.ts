import {announcedAt, podKey} from '../../core/model/pod.ts';
import {formatTaint, isNodeLifecycleTaint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {tolerance} from '../../forecast/ledger/prediction.ts';
import {clockTime} from '../../forecast/words.ts';
import type {ClusterHistory} from './clusterHistory.ts';
import {type ControllerWatch, catchUpTime} from './controllerWatch.ts';
import type {ObservationGaps} from './observationGaps.ts';
import {type CaseExplanation, explained, timeOf, type UnexplainedAction} from './unexplainedAction.ts';

export type DivergenceContext = {
	readonly world: ClusterHistory;
	readonly controllers: ControllerWatch;
	readonly gaps: ObservationGaps;
};

/** Explains a case if something that was observed caused it. */
type ReasonRule = (unexplained: UnexplainedAction, clues: DivergenceContext) => CaseExplanation | undefined;

/** Explains a case by the first reason that holds, of those that were observed. */
export function explainCase(unexplained: UnexplainedAction, clues: DivergenceContext): CaseExplanation {
	const ofControllers = [absence, takeover];
	const rules = [
		deletionDenied,
		collectionDenied,
		foreignWrite,
		absenceThroughout,
		unseen,
		// An unpredicted action is attributed to the current controllers.
		...(unexplained.kind === 'Unexpected' ? ofControllers.toReversed() : ofControllers),
		pause,
		foreignTaint,
		unseenBeginning,
	];
	for (const rule of rules) {
		const explanation = rule(unexplained, clues);
		if (explanation) return explanation;
	}
	return explained('Unexplained', 'Nothing that was seen explains it.');
}

/** No controllers ran during its whole range: this holds regardless of observation gaps. */
const absenceThroughout: ReasonRule = (unexplained, clues) => {
	const {kind, expected} = unexplained;
	if ((kind !== 'Missing' && kind !== 'Late') || expected?.latest == null) return undefined;
	const away = clues.controllers.latest('absence', {lo: expected.earliest, hi: expected.latest});
	const isThroughout = away && away.lo <= expected.earliest - tolerance && away.hi >= expected.latest;
	return isThroughout ? absence(unexplained, clues) : undefined;
};

/** The controllers paused, and overdue actions came that much later. */
const pause: ReasonRule = ({kind, expected, at, now}, {controllers}) => {
	if ((kind !== 'Missing' && kind !== 'Late') || expected?.latest == null) return undefined;
	const until = at?.lo ?? now;
	const found = controllers.latest('pause', {lo: expected.earliest - catchUpTime, hi: until});
	if (!found || until - expected.latest > found.hi - found.lo + catchUpTime) return undefined;
	const length = formatDuration(Math.round((found.hi - found.lo) / second) * second);
	return explained(
		'ControllerDown',
		`The controller manager did not renew its lease for ${length}, until ${clockTime(found.hi, now)}: it stood still, or could not reach the API server.`,
	);
};

const absence: ReasonRule = (unexplained, {controllers}) => {
	const away = controllers.latest('absence', timeOf(unexplained));
	if (!away || unexplained.kind === 'Early') return undefined;
	const until = Number.isFinite(away.hi) ? ` until ${clockTime(away.hi, unexplained.now)}` : '';
	return explained(
		'ControllerDown',
		`No controller manager renewed its lease since ${clockTime(away.lo, unexplained.now)}${until}.`,
	);
};

const takeover: ReasonRule = (unexplained, {controllers}) => {
	const {lo, hi} = timeOf(unexplained);
	// A device countdown starts with its taint, so only a takeover near its end matters.
	const isForDevice = unexplained.action === 'DeletePodForDevice';
	const from = isForDevice && unexplained.expected ? unexplained.expected.earliest - catchUpTime : lo;
	const found = controllers.latest('takeover', {lo: from, hi: hi + leaseDelay});
	if (!found) return undefined;
	const what = isForDevice
		? 'it continues once it has read all objects'
		: 'it removes the taints, and every countdown begins again';
	return explained(
		'ControllerRestarted',
		`Another controller manager took over at ${clockTime(found.lo, unexplained.now)}: ${what}.`,
	);
};

/** The lease of a takeover may arrive shortly after its effects. */
const leaseDelay: Duration = 3 * second;

/** The longest pause between the deletions of a throttled client, even at the slowest usual rate. */
const longestPause: Duration = 2 * second;

/** Longer than the five attempts of a deletion take. */
export const maxRetryTime: Duration = 8 * second;

/** The controller marked the pod, but it was not deleted: denied, or not seen. */
const deletionDenied: ReasonRule = ({action, kind, pod, now}, {world, gaps, controllers}) => {
	const isForDevice = action === 'DeletePodForDevice';
	if ((action !== 'DeletePod' && !isForDevice) || !pod || kind !== 'Missing') return undefined;
	const current = world.podOf(podKey(pod), pod.uid) ?? pod;
	const triedAt = isForDevice ? current.deviceEvictedAt : (current.evictedAt ?? world.triedAt(pod));
	if (triedAt === undefined) return undefined;
	const time = {lo: triedAt, hi: now};
	// A throttled client marks all pods before it deletes them, one after the other.
	const isInProgress = now - world.deletedAt < longestPause;
	if (now - triedAt < maxRetryTime || isInProgress || gaps.unseenIn(time)) return undefined;
	// A later takeover restarts the countdown, and is denied as well.
	const tries = {lo: triedAt, hi: Math.min(now + leaseDelay, triedAt + maxRetryTime)};
	if (controllers.latest('absence', tries) || controllers.latest('takeover', tries)) return undefined;
	const after =
		announcedAt(current) === undefined ? 'said that it deletes the pod' : 'marked the pod as its target';
	return explained('DeletionDenied', [
		`The controller ${after} at ${clockTime(triedAt, now)}, and the pod is not deleted: an admission webhook or policy denies it.`,
		isForDevice
			? 'The controller for tainted devices tries again, after pauses that double.'
			: 'After five tries the controller gives the pod up, as kubernetes/kubernetes#140639 tells.',
	]);
};

/** The pod garbage collector marked a pod of a deleted node, but it was not deleted. */
const collectionDenied: ReasonRule = ({action, kind, pod, now}, {world, gaps}) => {
	if (action !== 'CollectPod' || kind !== 'Missing' || !pod) return undefined;
	const marked = world.collected.get(podKey(pod));
	if (marked?.uid !== pod.uid || now - marked.at < maxRetryTime) return undefined;
	if (gaps.unseenIn({lo: marked.at, hi: now})) return undefined;
	return explained('DeletionDenied', [
		`The pod garbage collector marked the pod at ${clockTime(marked.at, now)}, as its node is gone, and the pod is not deleted: an admission webhook or policy denies it.`,
		'The collector tries again each time that it looks.',
	]);
};

/** Another writer set or removed the taint. After a gap, the newest write shows nothing about earlier ones. */
const foreignWrite: ReasonRule = ({action, writer, at}, {gaps}) => {
	if (writer === undefined || (action !== 'TaintNode' && action !== 'UntaintNode')) return undefined;
	if (at && gaps.unseenIn(at)) return undefined;
	const did = action === 'TaintNode' ? 'put the taint on' : 'took the taint off';
	return explained('ForeignTaint', `Not the controllers but ${writer} ${did}.`);
};

/** Maximum age of a foreign taint that explains an unpredicted deletion. */
const maxTaintAge: Duration = minute;

/** A pod is deleted for a taint that the controllers do not set. */
const foreignTaint: ReasonRule = ({action, kind, node: name, at}, {world}) => {
	const [node, changed] = [world.store.nodes.get(name), world.taintsChangedAt.get(name)];
	if (action !== 'DeletePod' || !node || !at || !changed || changed.hi < at.lo - maxTaintAge)
		return undefined;
	const foreign = noExecuteTaints(node).filter((taint) => !isNodeLifecycleTaint(taint));
	if (foreign.length === 0 || kind === 'Late') return undefined;
	return explained(
		'ForeignTaint',
		`Its node has the taint ${foreign.map(formatTaint).join(', ')}, which somebody else put on it.`,
	);
};

const unseen: ReasonRule = (unexplained, {gaps}) => gaps.unseenIn(timeOf(unexplained));

const unseenBeginning: ReasonRule = ({stateSince}, {gaps}) => gaps.unseenBeginning(stateSince);
