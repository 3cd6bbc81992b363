import type {Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';
import type {Judgement} from '../conclude/judgement.ts';
import {judgePod} from '../conclude/podVerdict.ts';
import type {PodTimer} from '../observe/countdowns/podTimers.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {identityOf, type PodForecast} from '../podForecast.ts';
import {becauseOf} from './reasons/because.ts';
import type {Situation} from './situation.ts';
import {othersSteps} from './steps/othersSteps.ts';

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
	const judged = judgePod(pod, one, timer, situation);
	const {judgement} = judged;
	const because = becauseOf({pod, one, timer, situation, ...judged});
	return {...judgement, because: [...because, ...othersSteps(one, judgement.verdict, situation)]};
}

/** Says what happens to the pods of a node that is well, or of one that is not seen: nothing. */
export function safePods(on: Node | undefined): (pod: Pod) => PodForecast {
	const zone = on ? zoneLabel(zoneKey(on)) : '';
	return (pod) => {
		const verdict = pod.deletionTimestamp === undefined ? 'Safe' : 'Terminating';
		return {
			...identityOf(pod, zone),
			verdict,
			eviction: null,
			cause: null,
			held: null,
			because: noReasons,
			after: null,
		};
	};
}

const noReasons: readonly string[] = [];
