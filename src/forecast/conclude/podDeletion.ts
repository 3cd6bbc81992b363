import type {Pod} from '../../core/model/pod.ts';
import {isNodeLifecycleTaint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Duration} from '../../core/time/instant.ts';
import {type PodTimer, tolerationOf} from '../observe/countdowns/podTimers.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Range} from '../podForecast.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {early, latency, type Merged, mergeAfterTaint, mergeCleared} from './merge.ts';

const never: Merged = {range: null, happens: 'never'};

/**
 * When a pod's deletion is asked for: when the timer that runs for it fires, unless its node loses the taint before;
 * or so long after the taint that is to come as the pod tolerates it.
 *
 * @param tolerated how long the pod tolerates the taints that its node has and is about to get
 */
export function deletionOf(
	pod: Pod,
	one: NodeEvidence,
	tolerated: Duration,
	timer: PodTimer | undefined,
	situation: Simulated,
): Merged {
	if (!timer) return afterTaint(one, tolerated, situation);
	const byTimer = afterTimer(pod, one, timer, situation);
	const isTaintTolerated = tolerated > 0 || timer.tolerated === 0;
	if (byTimer.happens === 'never') return afterTaint(one, tolerated, situation);
	return isTaintTolerated ? byTimer : earlier(byTimer, afterTaint(one, 0, situation));
}

function afterTaint(one: NodeEvidence, tolerated: Duration, simulated: Simulated): Merged {
	return mergeAfterTaint(
		simulated.runs,
		one.node.name,
		tolerated,
		isSilent(one, simulated.now) ? simulated.passes.gap : 0,
	);
}

function afterTimer(
	pod: Pod,
	one: NodeEvidence,
	{fires}: PodTimer,
	{runs, passes, evidence, settings}: Simulated,
): Merged {
	const range: Range = {
		earliest: fires.lo - early,
		expected: (fires.lo + fires.hi) / 2,
		latest: fires.hi + latency,
	};
	const others = noExecuteTaints(one.node).filter((taint) => !isNodeLifecycleTaint(taint));
	const isKept = tolerationOf(pod, others, settings.comparisonOperators).type === 'limited';
	const cleared = isKept ? never : mergeCleared(runs, passes.gap, one, evidence.controllersStarted);
	if (!cleared.range || cleared.range.earliest > fires.hi + latency) return {range, happens: 'always'};
	const isSurelyCleared = cleared.happens === 'always' && cleared.range.latest !== null;
	if (isSurelyCleared && (cleared.range.latest ?? 0) < fires.lo) return never;
	return {range: {...range, latest: null}, happens: 'sometimes'};
}

/** The one of two that comes first, as far as their ranges tell. */
function earlier(a: Merged, b: Merged): Merged {
	if (!a.range || !b.range) return a.range ? a : b;
	const latest = [a, b].flatMap(({range, happens}) =>
		happens === 'always' && range?.latest != null ? [range.latest] : [],
	);
	return {
		range: {
			earliest: Math.min(a.range.earliest, b.range.earliest),
			expected: Math.min(a.range.expected, b.range.expected),
			latest: latest.length > 0 ? Math.min(...latest) : null,
		},
		happens: latest.length > 0 ? 'always' : 'sometimes',
	};
}
