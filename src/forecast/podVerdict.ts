import {nodeCondition} from '../core/model/node.ts';
import type {Pod} from '../core/model/pod.ts';
import {
	formatTaint,
	type Taint,
	taintNotReady,
	taintOutOfService,
	taintUnreachable,
} from '../core/model/taint.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {type Duration, second} from '../core/time/instant.ts';
import {heldBy, stopOf} from './held.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {deletionOf} from './podDeletion.ts';
import type {Cause, PodForecast, PodVerdict, Range} from './podForecast.ts';
import {reasonsFor} from './podReasons.ts';
import {type PodTimer, type Toleration, tolerationOf} from './podTimers.ts';
import type {Situation} from './situation.ts';
import {isSilent} from './suspects.ts';

/** The parts of a pod's forecast that its verdict decides. */
export type Judgement = Pick<PodForecast, 'verdict' | 'eviction' | 'cause' | 'held'>;

/** How long past its latest time a deletion is still taken to be on its way. */
const overdueAfter: Duration = 2 * second;

/** What happens to one pod of a node that is in trouble. */
export function forecastPod(pod: Pod, one: NodeEvidence, situation: Situation): PodForecast {
	const toleration = comingToleration(pod, one, situation);
	const timer = situation.evidence.timers.get(pod);
	const judgement = judge(pod, one, toleration, timer, situation);
	return {
		namespace: pod.namespace,
		name: pod.name,
		uid: pod.uid,
		node: pod.nodeName,
		zone: zoneLabel(zoneKey(one.node)),
		labels: pod.labels,
		...judgement,
		because: reasonsFor(one, toleration, timer, judgement, situation),
		after: null,
	};
}

/** A pod of a node that is well. */
export function safePod(pod: Pod, zone: string): PodForecast {
	const {namespace, name, uid, nodeName: node, labels} = pod;
	const isTerminating = pod.deletionTimestamp !== undefined;
	return {
		namespace,
		name,
		uid,
		node,
		zone,
		labels,
		verdict: isTerminating ? 'Terminating' : 'Safe',
		eviction: null,
		cause: null,
		held: null,
		because: [],
		after: null,
	};
}

const nothing = {eviction: null, cause: null, held: null};

function judge(
	pod: Pod,
	one: NodeEvidence,
	toleration: Toleration,
	timer: PodTimer | undefined,
	situation: Situation,
): Judgement {
	if (pod.deletionTimestamp !== undefined) return {...nothing, verdict: 'Terminating'};
	if (toleration.type === 'forever') return {...nothing, verdict: 'Stays'};
	if (toleration.type === 'none') return {...nothing, verdict: 'Safe'};
	const cause = causeOf(timer?.taint ?? toleration.taint, toleration.tolerated);
	const stop = stopOf(zoneKey(one.node), situation);
	if (situation.leader.type === 'absent' && stop) {
		return {verdict: 'Held', eviction: null, cause, held: heldBy(stop, toleration.tolerated, 1, situation)};
	}
	if (timer && timer.fires.hi + overdueAfter < situation.now) {
		return {verdict: 'Overdue', eviction: overdue(timer), cause, held: null};
	}
	const isTainted = noExecuteTaints(one.node).length > 0;
	const {range, happens} = deletionOf(pod, one, toleration.tolerated, timer, situation);
	if (happens === 'never' || !range) {
		if (!stop) return {...nothing, verdict: isTainted ? 'Unsure' : 'Stays', cause};
		return {
			verdict: 'Held',
			eviction: null,
			cause,
			held: heldBy(stop, toleration.tolerated, waitingIn(one, situation), situation),
		};
	}
	const verdict: PodVerdict = happens === 'sometimes' ? 'Unsure' : timer ? 'Scheduled' : 'Expected';
	return {verdict, eviction: notPast(range, situation.now), cause, held: null};
}

const overdue = ({fires}: PodTimer): Range => ({
	earliest: fires.lo,
	expected: (fires.lo + fires.hi) / 2,
	latest: fires.hi,
});

const notPast = ({earliest, expected, latest}: Range, now: number): Range => ({
	earliest: Math.max(earliest, now),
	expected: Math.max(expected, now),
	latest,
});

const waitingIn = ({node}: NodeEvidence, {suspects}: Situation) =>
	suspects.nodes.filter(
		(other) => zoneKey(other.node) === zoneKey(node) && noExecuteTaints(other.node).length === 0,
	).length;

function causeOf(taint: Taint, tolerated: Duration): Cause {
	const kind = taint.key === taintOutOfService ? 'OutOfService' : 'Taint';
	return {kind, taint: formatTaint(taint), tolerationSeconds: tolerated === 0 ? null : tolerated / second};
}

/** How the pod stands to the taints that its node has, and to the one that it is about to get. */
function comingToleration(pod: Pod, one: NodeEvidence, {settings, now}: Situation): Toleration {
	const present = noExecuteTaints(one.node);
	const hasOwn = present.some(({key}) => key === taintUnreachable || key === taintNotReady);
	const status = nodeCondition(one.node, 'Ready')?.status;
	const isLost = isSilent(one, now) || status === 'Unknown';
	if (hasOwn || (status === 'True' && !isLost))
		return tolerationOf(pod, present, settings.comparisonOperators);
	const coming: Taint = {key: isLost ? taintUnreachable : taintNotReady, value: '', effect: 'NoExecute'};
	return tolerationOf(pod, [...present, coming], settings.comparisonOperators);
}
