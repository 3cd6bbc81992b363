import {isReadyNode} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {stopOf} from '../infer/evictionStop.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import {callDuration} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Held, Range} from '../podForecast.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {heldBy} from './held.ts';
import type {Judgement} from './judgement.ts';
import {latency, type Merged, mergeAfterTaint} from './merge.ts';
import {queueLengthOf} from './queue.ts';

/** What a deletion without taints costs the controller's client: the pod's status, an event, the delete. */
const callsPerPod = 3;

const cause = {kind: 'NodeEviction'} as const;

/**
 * Says what the node lifecycle controller itself does to a pod where nodes are not tainted: it deletes all but those of
 * DaemonSets once the node's eviction starts, whatever they tolerate. Undefined where it leaves the pod alone.
 */
export function evictionOf(pod: Pod, one: NodeEvidence, situation: Simulated): Judgement | undefined {
	const {settings, affected, leader, now} = situation;
	if (settings.taintBasedEvictions || !settings.nodeLifecycle || pod.deletionTimestamp !== undefined)
		return undefined;
	const isWell = isReadyNode(one.node) && !isSilent(one, now);
	if (isWell) return undefined;
	if (belongsToDaemonSet(pod)) return {verdict: 'Stays', eviction: null, cause: null, held: null};
	const zone = zoneKey(one.node);
	const stop = stopOf(zone, situation);
	const held = (): Held | null =>
		stop
			? heldLonger(heldBy(stop, 0, queueLengthOf(zone, situation), situation), settings.podEvictionTimeout)
			: null;
	if (leader.type === 'absent') return {verdict: 'Held', eviction: null, cause, held: held()};
	const line = throttleDelayWithoutTaints(one, situation);
	if (hasEvictionStarted(one, affected.evictionStarts, settings))
		return {verdict: 'Expected', eviction: inNextPass(line, situation), cause, held: null};
	const {range, happens} = mergedEviction(one, situation);
	if (happens === 'never' || !range) {
		return stop
			? {verdict: 'Held', eviction: null, cause, held: held()}
			: {verdict: 'Stays', eviction: null, cause, held: null};
	}
	const eviction = {
		earliest: Math.max(now, range.earliest),
		expected: Math.max(now, range.expected + line / 2),
		latest: range.latest === null ? null : range.latest + line,
	};
	return {verdict: happens === 'always' ? 'Expected' : 'Unsure', eviction, cause, held: null};
}

/** When a node's pods are deleted without a taint, by all hidden states. */
export const mergedEviction = (one: NodeEvidence, {runs, passes, now}: Simulated): Merged =>
	mergeAfterTaint(runs, one.node.name, 0, isSilent(one, now) ? passes.gap : 0);

/** A node that was evicted keeps nothing: each pass deletes what is on it, and so does the arrival of a pod. */
function inNextPass(line: Duration, {passes, now}: Simulated): Range {
	const {hi} = passes.phase.period;
	return {earliest: now, expected: now + hi / 2, latest: now + hi + latency + line};
}

/** How long the pods of nodes that are evicted together keep each other waiting: one goroutine deletes all of them. */
export function throttleDelayWithoutTaints(
	{node}: NodeEvidence,
	{evidence, affected, settings}: Simulated,
): Duration {
	const {kubeApiQps: qps, kubeApiBurst: burst} = settings;
	const ofZones = new Map<string, number>();
	for (const one of affected.nodes) {
		const pods = evidence.pods.mapOfNode(one.node.name).size;
		const zone = zoneKey(one.node);
		ofZones.set(zone, Math.max(ofZones.get(zone) ?? 0, pods));
	}
	// The largest node of each zone may have its turn just before.
	const others = [...ofZones.values()].reduce((sum, pods) => sum + pods, 0);
	const calls = callsPerPod * (others + evidence.pods.mapOfNode(node.name).size);
	const throttled = qps > 0 ? (Math.max(0, calls - burst) / qps) * second : 0;
	return Math.max(throttled, calls * callDuration.hi);
}

/** What is released has its time before it once more, unless that was over when the stop began. */
function heldLonger(held: Held, timeout: Duration): Held {
	const {ifReleasedNow} = held;
	const {expected, latest} = ifReleasedNow;
	const later = {
		...ifReleasedNow,
		expected: expected + timeout / 2,
		latest: latest === null ? null : latest + timeout,
	};
	return {...held, ifReleasedNow: later};
}

/** Of two ways in which a pod may go, the one that tells more: the sooner deletion, else what holds it. */
export function sooner(byTaint: Judgement, byNode: Judgement | undefined): Judgement {
	if (!byNode) return byTaint;
	if (!byTaint.eviction) return byNode.eviction || byNode.held || !byTaint.held ? byNode : byTaint;
	if (!byNode.eviction) return byTaint;
	const [first, second] =
		byTaint.eviction.expected <= byNode.eviction.expected ? [byTaint, byNode] : [byNode, byTaint];
	const ends = [first, second].flatMap(({verdict, eviction}) =>
		verdict !== 'Unsure' && eviction?.latest != null ? [eviction.latest] : [],
	);
	const eviction: Range = {
		earliest: Math.min(byTaint.eviction.earliest, byNode.eviction.earliest),
		expected: Math.min(byTaint.eviction.expected, byNode.eviction.expected),
		latest: ends.length > 0 ? Math.min(...ends) : null,
	};
	const verdict = ends.length > 0 && first.verdict === 'Unsure' ? second.verdict : first.verdict;
	return {...first, verdict, eviction};
}
