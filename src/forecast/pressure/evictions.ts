import {minOf} from '../../core/collections/extremes.ts';
import {protectionOf} from '../../core/nodepressure/criticalPod.ts';
import {EvictionLoop} from '../../core/nodepressure/evictionLoop.ts';
import {type EvictionState, initialState} from '../../core/nodepressure/evictionState.ts';
import {garbageCollections} from '../../core/nodepressure/fileSystemLayout.ts';
import type {Threshold} from '../../core/nodepressure/thresholds/threshold.ts';
import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import {mergedEviction, type TimedKill} from './mergedEviction.ts';
import type {PressureEviction, SignalForecast} from './pressureForecast.ts';
import {sureCrossingOf} from './signalForecast.ts';
import {evictionHorizon, hypotheses, nearSignals, type PressureHypothesis} from './simulate/hypotheses.ts';
import {projectedNode} from './simulate/projectedNode.ts';
import {maybePending} from './simulate/pursuit.ts';
import type {PressureSituation} from './situation.ts';

/** The most evictions that are forecast: later ones are too uncertain. */
const mostKills = 6;

/** Forecasts which pods are killed if trends continue: runs the ported eviction manager ahead for each hypothesis. */
export function pressureEvictions(
	situation: PressureSituation,
	forecasts: readonly SignalForecast[],
): readonly PressureEviction[] {
	const near = nearSignals(situation, forecasts);
	const all = hypotheses(situation, near);
	const runs = all.map((hypothesis) => runAhead(situation, near, hypothesis));
	const isMiddling = all.map(({course}) => course === 'median');
	const timesFirst = (uid: string) => runs.filter(([first]) => first?.kill.pod.uid === uid).length;
	const uids = new Set(runs.flatMap((kills) => kills.map(({kill}) => kill.pod.uid)));
	const evictions = [...uids]
		.map((uid) => mergedEviction(uid, {runs, isMiddling}, situation, forecasts))
		.filter((eviction) => eviction !== undefined)
		.toSorted(
			(a, b) =>
				a.place.first - b.place.first ||
				timesFirst(b.pod.uid) - timesFirst(a.pod.uid) ||
				a.when.expected - b.when.expected,
		);
	return inOrder(evictions);
}

/** No eviction comes before the first one. The runs in which a pod is not evicted show nothing of its time. */
function inOrder(evictions: readonly PressureEviction[]): readonly PressureEviction[] {
	const firsts = evictions.filter(({place}) => place.first === 1);
	const earliest = minOf(firsts.map(({when}) => when.earliest));
	let expected = beginningOfTime;
	return evictions.map((one) => {
		const {when, place} = one;
		expected = Math.max(expected, when.expected);
		if (place.first === 1) return one;
		return {
			...one,
			when: new Range(Math.max(earliest, when.earliest), expected, when.latest, {shownEnd: when.shownEnd}),
		};
	});
}

function runAhead(
	situation: PressureSituation,
	near: readonly SignalForecast[],
	hypothesis: PressureHypothesis,
): readonly TimedKill[] {
	const {now, settings, killed, pods} = situation;
	const node = projectedNode(situation, near, hypothesis);
	const until = now + evictionHorizon;
	const resting = (at: Instant) => ({type: 'resting', until: at}) as const;
	const start = hypothesis.startAt + hypothesis.passIn;
	const state = stateOf(situation, hypothesis);
	let loop = new EvictionLoop(settings, node.world, hypothesis.startAt, {phase: resting(start), state});
	const left = new Set(pods.filter((pod) => !protectionOf(pod) && !killed.has(pod.uid)).map(({uid}) => uid));
	const kills: TimedKill[] = [];
	while (kills.length < mostKills && left.size > 0) {
		const isBusyAt = (at: Instant) => node.isBusyAt(at, state.thresholds);
		const busyAt = isIdle(loop)
			? nextBusy(loop.nextDueAt, settings.monitoringInterval, until, isBusyAt)
			: loop.nextDueAt;
		if (busyAt > until) break;
		if (busyAt > loop.nextDueAt)
			loop = new EvictionLoop(settings, node.world, loop.now, {phase: resting(busyAt), state: loop.state});
		for (const {at, effect} of loop.advanceTo(busyAt)) {
			// A pod that is already being killed is only killed again.
			if (effect.type !== 'killed' || killed.has(effect.pod.uid)) continue;
			kills.push({at: Math.max(now, at), kill: effect});
			left.delete(effect.pod.uid);
		}
	}
	return kills;
}

const isIdle = ({phase, state}: EvictionLoop) =>
	phase.type === 'resting' && state.firstObserved.size === 0 && state.thresholdsMet.length === 0;

/** When a pass has something to do: passes that find nothing are skipped, as they take most of the time. */
function nextBusy(
	from: Instant,
	interval: Duration,
	until: Instant,
	isBusyAt: (at: Instant) => boolean,
): Instant {
	let at = from;
	while (at <= until && !isBusyAt(at)) at += interval;
	return at;
}

/** What the kubelet remembers in a hypothesis. */
function stateOf(
	situation: PressureSituation,
	{startAt, isGraceOld, isReclaimPending, doesGarbageSuffice}: PressureHypothesis,
): EvictionState {
	const {settings, fileSystems, metSince} = situation;
	// No pod is killed for a disk on which garbage suffices.
	const thresholds = situation.thresholds.filter(
		({signal}) => !doesGarbageSuffice || garbageCollections(signal, fileSystems).length === 0,
	);
	const pending = isReclaimPending
		? maybePending(situation).filter((threshold) => thresholds.includes(threshold))
		: [];
	const first = [...metSince].map(([threshold, {lo, hi}]) => [threshold, isGraceOld ? lo : hi] as const);
	const crossed = isGraceOld ? crossedSince(situation, startAt) : [];
	return {
		...initialState(settings),
		thresholds,
		fileSystems,
		firstObserved: new Map([
			...crossed,
			...first,
			...pending.map((threshold) => [threshold, startAt - threshold.gracePeriod] as const),
		]),
		thresholdsMet: pending,
	};
}

/** The thresholds that may have been crossed between the newest measurement and an instant, each with the earliest time. */
const crossedSince = (
	situation: PressureSituation,
	before: Instant,
): readonly (readonly [Threshold, Instant])[] =>
	situation.thresholds.flatMap((threshold) => {
		const {at} = sureCrossingOf(situation, threshold, situation.newest.seenAt);
		return at && at.earliest < before ? [[threshold, at.earliest] as const] : [];
	});
