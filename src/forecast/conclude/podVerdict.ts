import type {Pod} from '../../core/model/pod.ts';
import type {Taint} from '../../core/model/taint.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Duration} from '../../core/time/instant.ts';
import {stopOf} from '../infer/evictionStop.ts';
import {throttleDelayFor} from '../observe/countdowns/deletionThrottleDelay.ts';
import {type PodTimer, type TolerationOutcome, tolerationOf} from '../observe/countdowns/podTimers.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {PodVerdict, Range} from '../podForecast.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {comingTaints} from './comingTaints.ts';
import {heldBy} from './held.ts';
import {causeOf, type Judgement, overdueAfter} from './judgement.ts';
import {deletionOf} from './podDeletion.ts';
import {evictionOf, sooner} from './podEviction.ts';
import {queueLengthOf} from './queue.ts';

/** What a pod's verdict was drawn from, and the verdict. */
export type JudgedPod = {
	/** The taints that its node has, and the one that it is about to get. */
	readonly taints: readonly Taint[];
	readonly toleration: TolerationOutcome;
	readonly judgement: Judgement;
};

/** Says what happens to a pod of a node that is in trouble. */
export function judgePod(
	pod: Pod,
	one: NodeEvidence,
	timer: PodTimer | undefined,
	simulated: Simulated,
): JudgedPod {
	const taints = comingTaints(one, simulated);
	const toleration = tolerationOf(pod, taints, simulated.settings.comparisonOperators);
	const byTaints = judge(pod, one, toleration, timer, simulated);
	return {taints, toleration, judgement: sooner(byTaints, evictionOf(pod, one, simulated))};
}

const nothing = {eviction: null, cause: null, held: null};

function judge(
	pod: Pod,
	one: NodeEvidence,
	toleration: TolerationOutcome,
	timer: PodTimer | undefined,
	situation: Simulated,
): Judgement {
	if (pod.deletionTimestamp !== undefined) return {...nothing, verdict: 'Terminating'};
	if (toleration.type === 'forever') return {...nothing, verdict: 'Stays'};
	if (toleration.type === 'none') return {...nothing, verdict: 'Safe'};
	const cause = causeOf(timer?.taint ?? toleration.taint, toleration.tolerated);
	if (!situation.settings.taintEviction) return {...nothing, verdict: 'Stays', cause};
	// Without the node lifecycle controller, a node only has the taints that somebody else gave it.
	const comesByItself = situation.settings.nodeLifecycle || noExecuteTaints(one.node).length > 0;
	if (!comesByItself) return {...nothing, verdict: 'Stays', cause};
	const stop = stopOf(zoneKey(one.node), situation);
	if (situation.leader.type === 'absent' && stop) {
		return {verdict: 'Held', eviction: null, cause, held: heldBy(stop, toleration.tolerated, 1, situation)};
	}
	if (timer && timer.fires.hi + overdueAfter + situation.delayOfDue < situation.now) {
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
			held: heldBy(stop, toleration.tolerated, queueLengthOf(zoneKey(one.node), situation), situation),
		};
	}
	const line = timer ? 0 : throttleDelayOnNode(one, situation);
	const verdict: PodVerdict = happens === 'sometimes' ? 'Unsure' : timer ? 'Scheduled' : 'Expected';
	return {verdict, eviction: notPast(withLine(range, line), situation.now), cause, held: null};
}

/** How long the pods of a node keep each other waiting, once its taint is there and their time has come. */
function throttleDelayOnNode({node}: NodeEvidence, {evidence, settings}: Simulated): Duration {
	return throttleDelayFor(
		evidence.pods.mapOfNode(node.name).size,
		settings.kubeApiQps,
		settings.kubeApiBurst,
	);
}

const withLine = ({earliest, expected, latest}: Range, line: Duration): Range => ({
	earliest,
	expected: expected + line / 2,
	latest: latest === null ? null : latest + line,
});

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
