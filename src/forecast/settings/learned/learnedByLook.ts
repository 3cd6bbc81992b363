import {nodeCondition, readyStatus} from '../../../core/model/node.ts';
import {type Duration, type Instant, minute, never, second} from '../../../core/time/instant.ts';
import {leaseReads} from '../../infer/leaseReads.ts';
import {passDuration} from '../../infer/passPhase.ts';
import type {Interval} from '../../observe/interval.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isSilentAndReady} from '../../observe/nodes/nodeLiveness.ts';
import type {Observed} from '../../observe/observed.ts';
import {goDuration} from '../../words.ts';
import type {LearnedSetting, LearnedSettings, SettingDoubt} from './learnedSetting.ts';
import {fewWrites} from './writeTrack.ts';
import {longestPass, zoneDoubts} from './zoneDoubts.ts';

/** What objects show of the settings, without having been watched. */
export type LookedUp = {
	readonly learned: LearnedSettings;
	readonly doubts: readonly SettingDoubt[];
};

/**
 * Learns from the times that objects carry: when nodes turned Unknown after their last sign of life, and which zones tainted
 * nodes, when. It holds for one look, and for all that was seen until now.
 */
export function learnByLook(observed: Observed): LookedUp {
	if (!observed.settings.nodeLifecycle) return {learned: {}, doubts: []};
	const grace = graceByLook(observed);
	const zones = zoneDoubts(observed);
	return {
		learned: {
			...(grace.learned && {nodeMonitorGracePeriod: grace.learned}),
			...(zones.rate && {nodeEvictionRate: zones.rate}),
		},
		doubts: [...grace.doubts, ...periodDoubts(observed), ...zones.doubts],
	};
}

/** A shorter silence before Unknown is no silence: the node renewed while the pass judged it. */
const shortestSilence: Duration = 8 * second;
/** A node that is younger has the grace period of a start. */
const youngest: Duration = 5 * minute;
/** By how much the clocks of the control plane may differ, and that of a kubelet that nothing compares with it. */
const skew: Duration = 2 * second;
/** Passes between a sign of life and Unknown, in addition to the grace period: one notices the sign, one the silence. */
const passes = 2;

/** One silence: how long the controllers waited at the least and at the most before they wrote Unknown. */
type UnknownDelay = {
	readonly name: string;
	readonly wait: Interval;
	/** The sign of life, and Unknown. */
	readonly last: Interval;
	readonly unknownAt: Interval;
	/** How long the settings in use let them wait. */
	readonly longest: Duration;
};

/**
 * The grace period is shorter than any time between a sign of life and Unknown: the controller counts from the pass that sees
 * the sign. That it is not much shorter is only likely, as a pause of the controllers shows in no object.
 */
function graceByLook(observed: Observed): {
	readonly learned?: LearnedSetting;
	readonly doubts: readonly SettingDoubt[];
} {
	const {settings, affected, now} = observed;
	const {nodeMonitorGracePeriod: assumed} = settings;
	const shortest = affected.nodes
		.flatMap((one) => silenceOf(one, observed) ?? [])
		.reduce<UnknownDelay | undefined>(
			(least, one) => (least && least.wait.hi <= one.wait.hi ? least : one),
			undefined,
		);
	if (!shortest) {
		const writing = writingBefore(now, observed);
		const late = affected.nodes.find((one) => isOverdue(one, writing, observed));
		return {
			doubts: late
				? [ofGrace(`node ${late.node.name} is Ready ${silentFor(late, now)} after its last sign of life`)]
				: [],
		};
	}
	const {name, wait, longest, last, unknownAt} = shortest;
	const wereAtWork = wereAtWorkSince(last.lo - longestPass, observed);
	const writing = writingBefore(unknownAt.hi, observed);
	const least = wereAtWork && writing === 0 ? Math.max(0, wait.lo - passes * longestPass) : 0;
	const told = `node ${name} turned Unknown ${goDuration(Math.round(wait.hi / second) * second)} after its last sign of life`;
	return {
		learned: {
			range: [Math.min(least, assumed), wait.hi],
			likely: [Math.max(0, wait.lo - passes * settings.nodeMonitorPeriod), wait.hi],
			observations: [told],
		},
		doubts: wereAtWork && wait.lo > longest + writing ? [ofGrace(told)] : [],
	};
}

const ofGrace = (seen: string): SettingDoubt => ({about: ['nodeMonitorGracePeriod'], seen});

const silentFor = (one: NodeEvidence, now: number): string =>
	goDuration(Math.floor((now - (lastSignOf(one)?.hi ?? now)) / second) * second);

/**
 * When a node last showed life to the controllers, who begin anew with each status, too: as far as is certain. What came to
 * us late may have come to them earlier, so the kubelet's own times count where they are earlier.
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

function silenceOf(one: NodeEvidence, observed: Observed): UnknownDelay | undefined {
	const {node, heartbeatAt, readyChangedAt, hasWrongClock, isDelayed = false} = one;
	const ready = nodeCondition(node, 'Ready');
	const last = lastSignOf(one);
	if (ready?.status !== 'Unknown' || !last || !readyChangedAt || hasWrongClock || isDelayed) return undefined;
	if (readyChangedAt.lo < node.createdAt + youngest) return undefined;
	// Word of Unknown may have come to us late, too.
	const changedAt = Math.min(readyChangedAt.lo, ready.lastTransitionTime);
	const wait = {lo: changedAt - last.hi - skew, hi: readyChangedAt.hi - last.lo + skew};
	if (wait.hi < shortestSilence) return undefined;
	const longest = longestWait(last, heartbeatAt, observed);
	return {name: node.name, wait, longest, last, unknownAt: readyChangedAt};
}

/** How long the settings in use let a silent node be Ready. A status makes the controller see the same lease anew, a pass later. */
function longestWait(last: Interval, heartbeatAt: Interval | undefined, observed: Observed): Duration {
	const {settings, evidence} = observed;
	const {nodeMonitorGracePeriod, nodeMonitorPeriod} = settings;
	const pass = passDuration(evidence.nodes.size).hi + leaseReads(observed);
	const period = nodeMonitorPeriod + pass;
	const isPosted = heartbeatAt !== undefined && heartbeatAt.hi >= last.lo - 2 * period;
	return nodeMonitorGracePeriod + (passes + (isPosted ? 1 : 0)) * period + second;
}

/** A node that a pass should have found silent long ago, whatever passes had to write. */
function isOverdue(one: NodeEvidence, writing: Duration, observed: Observed): boolean {
	const {now} = observed;
	const {heartbeatAt, hasWrongClock, isDelayed = false} = one;
	const last = lastSignOf(one);
	if (!isSilentAndReady(one, now) || !last || hasWrongClock || isDelayed) return false;
	if (now - last.hi - skew <= longestWait(last, heartbeatAt, observed) + writing) return false;
	return wereAtWorkSince(last.lo - longestPass, observed);
}

/** Whether the same controllers have been at work since an instant, as far as their lease tells. */
const wereAtWorkSince = (since: number, {leader, evidence}: Observed): boolean =>
	leader.type === 'running' && evidence.controllersStarted.hi < since;

/** So long before an instant the writes of passes are counted. */
const shortlyBefore: Duration = 30 * second;
/** Each write that is counted brings calls with it that do not show: taints, events, reads. */
const callsForWrite = 4;

/** How long writes may have kept passes shortly before an instant: `never` ends where they were not over within that time. */
function writingBefore(at: Instant, {affected, evidence, settings: {kubeApiQps}}: Observed): Duration {
	const writes = affected.nodes.reduce((sum, {node, readyChangedAt}) => {
		const isRecent = readyChangedAt && readyChangedAt.lo <= at && readyChangedAt.hi > at - shortlyBefore;
		return isRecent ? sum + 1 + evidence.pods.mapOfNode(node.name).size : sum;
	}, 0);
	if (writes <= fewWrites || kubeApiQps <= 0) return 0;
	const writing = ((callsForWrite * writes) / kubeApiQps) * second;
	return writing < shortlyBefore ? writing : never;
}

/**
 * Finds nodes that turned Unknown too far apart for one pass, and too close together for two. Their times are those at which a
 * worker took them; none had to wait for a worker where fewer nodes changed than there are workers.
 */
function periodDoubts(observed: Observed): readonly SettingDoubt[] {
	const {settings, affected, evidence} = observed;
	const {nodeMonitorPeriod, monitorWorkers} = settings;
	const pass = passDuration(evidence.nodes.size).hi + leaseReads(observed);
	const turned = affected.nodes.flatMap((one) => turnedUnknownAt(one) ?? []).toSorted((a, b) => a.lo - b.lo);
	// The latest that another pass turned, and the first that turned so late that it counts beside one.
	let [before, beside] = [-1, 0];
	for (const [index, later] of turned.entries()) {
		while ((turned[before + 1]?.hi ?? never) + pass < later.lo) before += 1;
		const since = later.lo - longestPass;
		while ((turned[beside]?.hi ?? never) <= since) beside += 1;
		const earlier = turned[before];
		if (!earlier || later.hi - earlier.lo >= nodeMonitorPeriod - pass) continue;
		if (index - beside >= monitorWorkers) continue;
		if (mayHaveChangedBetween(since, later.lo, observed) >= monitorWorkers) continue;
		const apart = goDuration(Math.round((later.lo - earlier.lo) / second) * second);
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

/** How many nodes may have changed in a time: of one that is well again, nobody knows since when it was not. */
const mayHaveChangedBetween = (since: Instant, until: Instant, {evidence}: Observed): number =>
	[...evidence.nodes.values()].filter(
		({node, readyChangedAt: at}) =>
			at !== undefined && at.hi > since && (at.lo < until || readyStatus(node) === 'True'),
	).length;
