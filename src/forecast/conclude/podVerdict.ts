import type {Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {becauseOf} from '../explain/because.ts';
import {othersSteps} from '../explain/othersSteps.ts';
import {stopOf} from '../infer/zoneStop.ts';
import {lineFor} from '../observe/deletionLine.ts';
import type {NodeEvidence} from '../observe/nodeEvidence.ts';
import {type PodTimer, type Toleration, tolerationOf} from '../observe/podTimers.ts';
import {identityOf, type PodForecast, type PodVerdict, type Range} from '../podForecast.ts';
import type {Situation} from '../situation.ts';
import {comingTaints} from './comingTaints.ts';
import {heldBy} from './held.ts';
import {causeOf, type Judgement} from './judgement.ts';
import {deletionOf} from './podDeletion.ts';
import {evictionOf, sooner} from './podEviction.ts';
import {queueLengthOf} from './queue.ts';

/** How long past its latest time a deletion is still taken to be on its way. */
const overdueAfter: Duration = 2 * second;

/** What a node in trouble means for pods that are alike: same tolerations, same timer. */
type Shared = Judgement & Pick<PodForecast, 'because'>;

/**
 * Says what happens to the pods of a node that is in trouble. Most of them are alike, so each kind is judged once.
 *
 * @returns what forecasts one of the node's pods
 */
export function podForecaster(one: NodeEvidence, situation: Situation): (pod: Pod) => PodForecast {
	const zone = zoneLabel(zoneKey(one.node));
	const kinds = new Map<readonly unknown[] | undefined, Map<string, Shared>>();
	return (pod) => {
		const timer = situation.evidence.timers.get(pod);
		const goes = situation.settings.taintBasedEvictions ? '' : `${belongsToDaemonSet(pod)} `;
		const ofTimer = timer ? `${timer.fires.lo} ${timer.fires.hi} ${timer.source} ${pod.evictedAt}` : '';
		const kind = pod.deletionTimestamp === undefined ? goes + ofTimer : 'terminating';
		const ofTolerations = kinds.get(pod.tolerations) ?? new Map<string, Shared>();
		kinds.set(pod.tolerations, ofTolerations);
		const shared = ofTolerations.get(kind) ?? judgeKind(pod, one, timer, situation);
		ofTolerations.set(kind, shared);
		const {phase, ready} = pod;
		return {...identityOf(pod, zone), phase, ready, ...shared, after: null};
	};
}

function judgeKind(pod: Pod, one: NodeEvidence, timer: PodTimer | undefined, situation: Situation): Shared {
	const taints = comingTaints(one, situation);
	const toleration = tolerationOf(pod, taints, situation.settings.comparisonOperators);
	const judgement = sooner(judge(pod, one, toleration, timer, situation), evictionOf(pod, one, situation));
	const because = becauseOf({pod, one, toleration, taints, timer, judgement, situation});
	return {...judgement, because: [...because, ...othersSteps(one, judgement.verdict, situation)]};
}

/** Says what happens to the pods of a node that is well, or of one that is not seen: nothing. */
export function safePods(on: Node | undefined): (pod: Pod) => PodForecast {
	const zone = on ? zoneLabel(zoneKey(on)) : '';
	return (pod) => {
		const verdict = pod.deletionTimestamp === undefined ? 'Safe' : 'Terminating';
		return {...identityOf(pod, zone), verdict, ...nothing, because: noReasons, after: null};
	};
}

const noReasons: readonly string[] = [];

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
	if (!situation.settings.taintEviction) return {...nothing, verdict: 'Stays', cause};
	// Without the node lifecycle controller, a node only has the taints that somebody else gave it.
	const comesByItself = situation.settings.nodeLifecycle || noExecuteTaints(one.node).length > 0;
	if (!comesByItself) return {...nothing, verdict: 'Stays', cause};
	const stop = stopOf(zoneKey(one.node), situation);
	if (situation.leader.type === 'absent' && stop) {
		return {verdict: 'Held', eviction: null, cause, held: heldBy(stop, toleration.tolerated, 1, situation)};
	}
	if (timer && timer.fires.hi + overdueAfter + situation.lineOfDue < situation.now) {
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
	const line = timer ? 0 : lineOnNode(one, situation);
	const verdict: PodVerdict = happens === 'sometimes' ? 'Unsure' : timer ? 'Scheduled' : 'Expected';
	return {verdict, eviction: notPast(withLine(range, line), situation.now), cause, held: null};
}

/** How long the pods of a node keep each other waiting, once its taint is there and their time has come. */
function lineOnNode({node}: NodeEvidence, {evidence, settings}: Situation): Duration {
	return lineFor(evidence.pods.mapOfNode(node.name).size, settings.kubeApiQps, settings.kubeApiBurst);
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
