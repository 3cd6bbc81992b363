import {mostBeforeDeletion} from '../../core/model/clusterEvent.ts';
import type {Pod} from '../../core/model/pod.ts';
import {formatTaint} from '../../core/model/taint.ts';
import {gcCheckPeriod, quarantineTime} from '../../core/podgc/garbage.ts';
import {minTolerationTime} from '../../core/tainteviction/tolerations.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {PodTimer} from '../observe/countdowns/podTimers.ts';
import {clockTolerance, latency} from '../observe/latencies.ts';
import {mayBeGone} from '../observe/leader.ts';
import type {Orphan} from '../observe/nodes/missingNodes.ts';
import {forecastOf, type PodForecast} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type Judgement, judged, verdictOf} from '../verdict.ts';
import {clockTime} from '../words.ts';
import {type Collector, collectorOf, removalOf} from './collector.ts';
import {causeOf, heldWith, isOverdue, overdueAfter} from './judgement.ts';

/** A node all of whose pods were bound within this time may be a new one that was not observed yet. */
const newlyBound: Duration = 10 * second;

/** Forecasts pods whose nodes are gone; undefined for any other. */
export function orphanForecaster(situation: Simulated): (pod: Pod) => PodForecast | undefined {
	const {evidence, now} = situation;
	const collector = collectorOf(situation);
	const isNew = ({scheduledAt, createdAt}: Pod) => now - (scheduledAt ?? createdAt) < newlyBound;
	return (pod) => {
		const orphan = evidence.missingNodes.orphan(pod);
		if (!orphan) return undefined;
		const mayBeNew = !orphan.node.wasSeen && evidence.pods.onNode(pod.nodeName).every(isNew);
		return mayBeNew ? undefined : forecastOrphan(pod, orphan, collector, situation);
	};
}

/**
 * The forecast of a pod whose node is gone: the pod garbage collector deletes it by force, whatever it tolerates, unless the
 * timer of a taint that the node had comes first.
 *
 * @quirk nobody cancels the timers of a node that is deleted
 */
function forecastOrphan(pod: Pod, orphan: Orphan, collector: Collector, situation: Simulated): PodForecast {
	const timer = situation.evidence.timers.get(pod);
	const removal = orByUnseenCountdown(removalOf(orphan, collector, situation.now), pod, orphan, collector);
	const judgement = judge(pod, removal, timer, collector, situation);
	const said = situation.evidence.events.last('DeletingNode', pod.nodeName);
	const isByCloud = said !== undefined && said.at.hi >= orphan.node.missing.lo - mostBeforeDeletion;
	const because = reasonsFor(pod, {...orphan, isByCloud}, removal, timer, collector, judgement);
	return forecastOf(pod, orphan.node.zone, {...judgement, because}, {phase: pod.phase});
}

const cause = {kind: 'NodeDeleted'} as const;

function judge(
	pod: Pod,
	removal: Range,
	timer: PodTimer | undefined,
	collector: Collector,
	situation: Simulated,
): Judgement {
	const {now, leader} = situation;
	if (pod.deletionTimestamp !== undefined) return judged('Terminating');
	const stop = leader.type === 'absent' ? situation.stops.of('') : undefined;
	if (stop) {
		const releasedBy = 'a controller manager takes the lease; then the quarantine of the node begins again';
		const held = heldWith({...stop, releasedBy}, afterStart(collector, now));
		return judged('Held', cause, null, held);
	}
	// A timer that should have fired long ago does not count.
	const isRunning = timer && situation.settings.taintEviction && !isOverdue(timer, now, 0);
	if (!isRunning && (removal.latest ?? now) + overdueAfter < now) return judged('Overdue', cause, removal);
	const collected = judged('Expected', cause, removal.notBefore(now));
	const first = verdictOf([collected, isRunning ? endOf(timer, now) : undefined]);
	return mayBeGone(leader) ? judged('Unsure', cause, first.eviction?.until(null)) : first;
}

/**
 * A removal, or sooner: a node whose deletion was not seen may have been tainted, and a countdown for its taint may run. New
 * controllers begin it anew.
 */
function orByUnseenCountdown(
	removal: Range,
	{tolerations}: Pod,
	{node}: Orphan,
	{started}: Collector,
): Range {
	const shortest = minTolerationTime(tolerations) ?? 0;
	// A pod that tolerates nothing would have gone with the taint.
	if (node.wasSeen || shortest === 0) return removal;
	const {earliest, expected, latest, likely} = removal;
	return new Range(Math.min(earliest, started.lo + shortest), expected, latest, {likely});
}

const endOf = ({taint, tolerated, fires}: PodTimer, now: Instant): Judgement =>
	judged(
		'Scheduled',
		causeOf(taint, tolerated),
		new Range(fires.lo - clockTolerance, (fires.lo + fires.hi) / 2, fires.hi + latency).notBefore(now),
	);

/** The removal if controllers start now: their first pass restarts every quarantine. */
function afterStart({busyFor}: Collector, now: number): Range {
	const earliest = now + quarantineTime;
	return new Range(earliest, earliest + busyFor / 2, earliest + gcCheckPeriod + busyFor);
}

function reasonsFor(
	pod: Pod,
	{node, isByCloud}: Orphan & {readonly isByCloud: boolean},
	removal: Range,
	timer: PodTimer | undefined,
	{phase}: Collector,
	{verdict, held}: Judgement,
): readonly string[] {
	const by = isByCloud ? ', by its cloud, as its machine does not exist' : '';
	const absence = node.wasSeen
		? `node ${pod.nodeName} was deleted between ${clockTime(node.missing.lo)} and ${clockTime(node.missing.hi)}${by}`
		: `there is no node ${pod.nodeName}; when it was deleted cannot be seen${by}`;
	const passes = phase ? `known from ${phase.source}` : 'at times that cannot be seen';
	const collection =
		`the pod garbage collector looks every ${formatDuration(gcCheckPeriod)} (${passes}), gives a missing node ` +
		`${formatDuration(quarantineTime)} to show up again, and then deletes its pods by force, whatever they tolerate`;
	const steps = [absence, collection];
	if (verdict === 'Terminating') {
		const latest = removal.latest === null ? '' : `, by ${clockTime(removal.latest)} at the latest`;
		return ['it is already Terminating', absence, `${collection}${latest}`];
	}
	if (timer && !held)
		steps.push(
			`the countdown for ${formatTaint(timer.taint)}, which the node had, runs on until ${clockTime(timer.fires.lo)}: whichever comes first counts`,
		);
	if (held) steps.push(`held: ${held.by}; evictions resume when ${held.releasedBy}`);
	if (verdict === 'Overdue')
		steps.push('its time is over without a deletion: the collector may not run, or a webhook denies it');
	return steps;
}
