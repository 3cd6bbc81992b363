import {nodeCondition, readyStatus} from '../../../core/model/node.ts';
import {type Duration, type Instant, minute, never, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import {leaseReads} from '../../infer/leaseReads.ts';
import {passDuration} from '../../infer/passPhase.ts';
import type {SettingsSpan} from '../../infer/settingsSpan.ts';
import type {Interval} from '../../observe/interval.ts';
import {callDuration} from '../../observe/latencies.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isSilentAndReady} from '../../observe/nodes/nodeLiveness.ts';
import type {Observed} from '../../observe/observed.ts';
import type {SettingRanges} from '../settingsEvidence.ts';
import type {LearnedSetting, LearnedSettings, SettingDoubt} from './learnedSetting.ts';
import {longestPass} from './pastZones.ts';
import {fewWrites} from './writeTrack.ts';
import {zoneDoubts} from './zoneDoubts.ts';

/** What objects show of the settings without a watch. */
export type LookedUp = {
	readonly learned: LearnedSettings;
	readonly doubts: readonly SettingDoubt[];
	/** What holds if no other default is in doubt. */
	readonly ifDefaults: SettingRanges;
};

/**
 * Learns from the times in objects: when nodes turned Unknown after their last sign of life, and when zones tainted nodes.
 * Works for one look, and for everything observed until now.
 */
export function learnByLook(observed: Observed, span: SettingsSpan): LookedUp {
	if (!observed.settings.nodeLifecycle) return {learned: {}, doubts: [], ifDefaults: {}};
	const grace = graceByLook(observed);
	const zones = zoneDoubts(observed, span);
	return {
		learned: {
			...(grace.learned && {nodeMonitorGracePeriod: grace.learned}),
			...(zones.rate && {nodeEvictionRate: zones.rate}),
		},
		doubts: [...grace.doubts, ...periodDoubts(observed), ...zones.doubts],
		ifDefaults: zones.ifDefaults,
	};
}

/** A shorter time before Unknown is no silence: the node renewed while the pass judged it. */
const shortestSilence: Duration = 8 * second;
/** A younger node has the startup grace period. */
const youngest: Duration = 5 * minute;
/** How much the clocks of the control plane may differ, and the clock of a kubelet with nothing to compare it with. */
const skew: Duration = 2 * second;
/** Passes between a sign of life and Unknown, in addition to the grace period: one notices the sign, one the silence. */
const passes = 2;

/** One silence: how long the controllers waited before they wrote Unknown, at least and at most. */
type UnknownDelay = {
	readonly name: string;
	readonly wait: Interval;
	/** The sign of life, and Unknown. */
	readonly last: Interval;
	readonly unknownAt: Interval;
	readonly heartbeatAt: Interval | undefined;
};

/**
 * The grace period is shorter than any time between a sign of life and Unknown: the controller counts from the pass that sees
 * the sign. It is probably not much shorter, but no object shows a pause of the controllers.
 */
function graceByLook(observed: Observed): {
	readonly learned?: LearnedSetting;
	readonly doubts: readonly SettingDoubt[];
} {
	const {settings, affected, now} = observed;
	const {nodeMonitorGracePeriod: assumed} = settings;
	const shortest = affected.nodes
		.flatMap((one) => silenceOf(one) ?? [])
		.reduce<UnknownDelay | undefined>(
			(least, one) => (least && least.wait.hi <= one.wait.hi ? least : one),
			undefined,
		);
	const longestWait = longestWaitOf(observed);
	if (!shortest) {
		const writing = writingBefore(now, observed);
		const late = affected.nodes.find((one) =>
			isOverdue(one, (...signs) => longestWait(...signs) + writing, observed),
		);
		return {
			doubts: late
				? [ofGrace(`node ${late.node.name} is Ready ${silentFor(late, now)} after its last sign of life`)]
				: [],
		};
	}
	const {name, wait, last, unknownAt, heartbeatAt} = shortest;
	const wereAtWork = wereAtWorkSince(last.lo - longestPass, observed);
	const writing = writingBefore(unknownAt.hi, observed);
	const least = wereAtWork && writing === 0 ? Math.max(0, wait.lo - passes * longestPass) : 0;
	const sentence = `node ${name} turned Unknown ${formatDuration(Math.round(wait.hi / second) * second)} after its last sign of life`;
	return {
		learned: {
			range: [Math.min(least, assumed), wait.hi],
			likely: [Math.max(0, wait.lo - passes * settings.nodeMonitorPeriod), wait.hi],
			observations: [sentence],
		},
		doubts: wereAtWork && wait.lo > longestWait(last, heartbeatAt) + writing ? [ofGrace(sentence)] : [],
	};
}

const ofGrace = (seen: string): SettingDoubt => ({about: ['nodeMonitorGracePeriod'], seen});

const silentFor = (one: NodeEvidence, now: number): string =>
	formatDuration(Math.floor((now - (lastSignOf(one)?.hi ?? now)) / second) * second);

/**
 * The last certain sign of life that the controllers saw; each status counts too. What arrived here late may have reached
 * them earlier, so the kubelet's own times count if they are earlier.
 */
function lastSignOf({node, renewTime, renewedAt, heartbeatAt}: NodeEvidence): Interval | undefined {
	if (!renewedAt) return undefined;
	const renewed = {lo: Math.min(renewedAt.lo, renewTime ?? renewedAt.lo), hi: renewedAt.hi};
	if (!heartbeatAt) return renewed;
	const posted = nodeCondition(node, 'Ready')?.lastHeartbeatTime ?? heartbeatAt.lo;
	return {
		lo: Math.max(renewed.lo, Math.min(heartbeatAt.lo, posted)),
		hi: Math.max(renewed.hi, heartbeatAt.hi),
	};
}

function silenceOf(one: NodeEvidence): UnknownDelay | undefined {
	const {node, heartbeatAt, readyChangedAt, hasWrongClock, isDelayed = false} = one;
	const ready = nodeCondition(node, 'Ready');
	const last = lastSignOf(one);
	if (ready?.status !== 'Unknown' || !last || !readyChangedAt || hasWrongClock || isDelayed) return undefined;
	if (readyChangedAt.lo < node.createdAt + youngest) return undefined;
	// Unknown may have arrived here late, too.
	const changedAt = Math.min(readyChangedAt.lo, ready.lastTransitionTime);
	const wait = {lo: changedAt - last.hi - skew, hi: readyChangedAt.hi - last.lo + skew};
	if (wait.hi < shortestSilence) return undefined;
	return {name: node.name, wait, last, unknownAt: readyChangedAt, heartbeatAt};
}

/** How long a node stays Ready at most after its last sign of life and its last status. */
type LongestWait = (last: Interval, heartbeatAt: Interval | undefined) => Duration;

/** How long the settings in use leave a silent node Ready. A status makes the lease look new, a pass later. */
function longestWaitOf(observed: Observed): LongestWait {
	const {settings, evidence} = observed;
	const {nodeMonitorGracePeriod, nodeMonitorPeriod} = settings;
	const period = nodeMonitorPeriod + passDuration(evidence.nodes.size).hi + leaseReads(observed);
	return (last, heartbeatAt) => {
		const isPosted = heartbeatAt !== undefined && heartbeatAt.hi >= last.lo - 2 * period;
		return nodeMonitorGracePeriod + (passes + (isPosted ? 1 : 0)) * period + second;
	};
}

/** Whether a pass should have found a node silent long ago, whatever passes had to write. */
function isOverdue(one: NodeEvidence, longestWait: LongestWait, observed: Observed): boolean {
	const {now} = observed;
	const {heartbeatAt, hasWrongClock, isDelayed = false} = one;
	const last = lastSignOf(one);
	if (!isSilentAndReady(one, now) || !last || hasWrongClock || isDelayed) return false;
	if (now - last.hi - skew <= longestWait(last, heartbeatAt)) return false;
	return wereAtWorkSince(last.lo - longestPass, observed);
}

/** Whether the same controllers have been at work since an instant, as far as their lease shows. */
const wereAtWorkSince = (since: number, {leader, evidence}: Observed): boolean =>
	leader.type === 'running' && evidence.controllersStarted.hi < since;

/** Writes of passes are counted for this long before an instant. */
const shortlyBefore: Duration = 30 * second;
/** Each counted write brings calls with it that do not show: taints, events, reads. */
const callsForWrite = 4;

/** How long writes may have delayed passes shortly before an instant: `never` if they were not over within that time. */
function writingBefore(at: Instant, {affected, evidence, settings: {kubeApiQps}}: Observed): Duration {
	const writes = affected.nodes.reduce((sum, {node, readyChangedAt}) => {
		const isRecent = readyChangedAt && readyChangedAt.lo <= at && readyChangedAt.hi > at - shortlyBefore;
		return isRecent ? sum + 1 + evidence.pods.mapOfNode(node.name).size : sum;
	}, 0);
	if (writes <= fewWrites) return 0;
	const call = Math.max(callDuration.hi, kubeApiQps > 0 ? second / kubeApiQps : 0);
	const writing = callsForWrite * writes * call;
	return writing < shortlyBefore ? writing : never;
}

/**
 * Finds nodes that turned Unknown too far apart for one pass, and too close together for two. Their times are when a worker
 * took them; none waited for a worker if fewer nodes changed than there are workers.
 */
function periodDoubts(observed: Observed): readonly SettingDoubt[] {
	const {settings, affected, evidence} = observed;
	const {nodeMonitorPeriod, monitorWorkers} = settings;
	const pass = passDuration(evidence.nodes.size).hi + leaseReads(observed);
	const turned = affected.nodes.flatMap((one) => turnedUnknownAt(one) ?? []).toSorted((a, b) => a.lo - b.lo);
	// The latest node that an earlier pass turned, and the first that turned late enough to count together with this one.
	let [before, beside] = [-1, 0];
	for (const [index, later] of turned.entries()) {
		while ((turned[before + 1]?.hi ?? never) + pass < later.lo) before += 1;
		const since = later.lo - longestPass;
		while ((turned[beside]?.hi ?? never) <= since) beside += 1;
		const earlier = turned[before];
		if (!earlier || later.hi - earlier.lo >= nodeMonitorPeriod - pass) continue;
		if (index - beside >= monitorWorkers) continue;
		if (mayHaveChangedBetween(since, later.lo, observed) >= monitorWorkers) continue;
		const apart = formatDuration(Math.round((later.lo - earlier.lo) / second) * second);
		return [{about: ['nodeMonitorPeriod'], seen: `nodes turned Unknown ${apart} apart`}];
	}
	return [];
}

/** When a pass turned a node Unknown, by its own time and by when that was seen. */
function turnedUnknownAt({node, readyChangedAt, isDelayed = false}: NodeEvidence): Interval | undefined {
	const ready = nodeCondition(node, 'Ready');
	if (ready?.status !== 'Unknown' || !readyChangedAt || isDelayed) return undefined;
	const {lastTransitionTime: own} = ready;
	if (own < node.createdAt + youngest) return undefined;
	return {lo: Math.min(readyChangedAt.lo, own), hi: Math.max(readyChangedAt.hi, own + second)};
}

/** How many nodes may have changed in a time. Of a node that is ready again, it is unknown since when it was not. */
const mayHaveChangedBetween = (since: Instant, until: Instant, {evidence}: Observed): number =>
	[...evidence.nodes.values()].filter(
		({node, readyChangedAt: at}) =>
			at !== undefined && at.hi > since && (at.lo < until || readyStatus(node) === 'True'),
	).length;
