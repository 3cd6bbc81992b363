import type {Kill} from '../../core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../core/nodepressure/evictionLoop.ts';
import {type EvictionState, initialState} from '../../core/nodepressure/evictionState.ts';
import {conditionOf, isSignal} from '../../core/nodepressure/thresholds/signal.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import type {PressureEviction, SignalForecast} from './pressureForecast.ts';
import {evictionHorizon, hypotheses, maybePending, type PressureHypothesis} from './simulate/hypotheses.ts';
import {ProjectedNode} from './simulate/projectedNode.ts';
import {Projection} from './simulate/projection.ts';
import {conditionSince, type PressureSituation} from './situation.ts';

/** The most evictions that are forecast: later ones are too uncertain. */
const mostKills = 6;

/** Passes are tried some milliseconds before and after each crossing; ranges allow for that. */
const slack: Duration = 5;

type TimedKill = {readonly at: Instant; readonly kill: Kill};

/** Forecasts which pods are killed if trends go on: runs the ported eviction manager ahead for each hypothesis. */
export function pressureEvictions(
	situation: PressureSituation,
	forecasts: readonly SignalForecast[],
): readonly PressureEviction[] {
	const runs = hypotheses(situation, forecasts).map((hypothesis) => runAhead(situation, hypothesis));
	const uids = new Set(runs.flatMap((kills) => kills.map(({kill}) => kill.pod.uid)));
	return [...uids]
		.map((uid) => merged(uid, runs, situation, forecasts))
		.filter((eviction) => eviction !== undefined)
		.toSorted((a, b) => a.when.expected - b.when.expected || a.place.first - b.place.first);
}

function runAhead(situation: PressureSituation, hypothesis: PressureHypothesis): readonly TimedKill[] {
	const {now, settings, newest, pods, trends, fileSystems} = situation;
	const projection = new Projection(newest, pods, trends, hypothesis.course, fileSystems);
	const node = new ProjectedNode(projection, pods, fileSystems, hypothesis);
	const {startAt, passIn} = hypothesis;
	const loop = new EvictionLoop(settings, node, startAt, {
		phase: {type: 'resting', until: startAt + passIn},
		state: stateOf(situation, hypothesis),
	});
	const kills: TimedKill[] = [];
	while (loop.nextDueAt <= now + evictionHorizon && kills.length < mostKills) {
		for (const {at, effect} of loop.advanceTo(loop.nextDueAt)) {
			if (effect.type === 'killed') kills.push({at: Math.max(now, at), kill: effect});
		}
	}
	return kills;
}

/** What the kubelet remembers in a hypothesis. */
function stateOf(
	situation: PressureSituation,
	{isGraceOld, isReclaimPending}: PressureHypothesis,
): EvictionState {
	const {settings, fileSystems, thresholds, metSince, evidence, now} = situation;
	const pending = isReclaimPending
		? maybePending(situation).filter(
				({signal}) => conditionSince(evidence, conditionOf(signal)) !== undefined,
			)
		: [];
	const first = [...metSince].map(([threshold, {lo, hi}]) => [threshold, isGraceOld ? lo : hi] as const);
	return {
		...initialState(settings),
		thresholds,
		fileSystems,
		firstObserved: new Map([
			...first,
			...pending.map((threshold) => [threshold, now - threshold.gracePeriod] as const),
		]),
		thresholdsMet: pending,
	};
}

function merged(
	uid: string,
	runs: readonly (readonly TimedKill[])[],
	situation: PressureSituation,
	forecasts: readonly SignalForecast[],
): PressureEviction | undefined {
	const places = runs.map((kills) => kills.findIndex(({kill}) => kill.pod.uid === uid));
	const found = runs.flatMap((kills, index) => kills[places[index] ?? -1] ?? []);
	const [one] = found;
	if (!one) return undefined;
	const taken = places.filter((place) => place >= 0);
	const place = {first: Math.min(...taken) + 1, last: Math.max(...taken) + 1};
	const own = found.map(({at}) => at).toSorted((a, b) => a - b);
	const shared = timesAt(place, runs);
	const isCertain = found.length === runs.length;
	const isUntold = place.last > 1 || !isDue(one.kill.signal, forecasts);
	const isBlind = isUntold && found.some(({kill}) => hasNoTrend(kill.signal, forecasts));
	const first = Math.min(...own, ...shared, notified(found, situation, forecasts));
	const earliest = isBlind ? situation.now : Math.max(situation.now, first - slack);
	const latest = isCertain && !isBlind ? Math.max(...own, ...shared) + slack : null;
	return {
		pod: one.kill.pod,
		when: new Range(earliest, own[Math.floor(own.length / 2)] ?? one.at, latest),
		signals: distinct(found.map(({kill}) => kill.signal)),
		graceSeconds: distinct(found.map(({kill}) => kill.graceSeconds)),
		isCertain: isCertain && !isBlind,
		place,
		message: one.kill.message,
	};
}

/** Whether too little was measured for a trend: the signal may fall or rise at any pace. */
const hasNoTrend = (of: Kill['signal'], forecasts: readonly SignalForecast[]): boolean =>
	forecasts.some(({signal, trend}) => signal === of && trend === null);

/** Whether a pass evicts for it at once, whatever its trend: a hard threshold is met, or a limit of a pod's own. */
const isDue = (of: Kill['signal'], forecasts: readonly SignalForecast[]): boolean =>
	!isSignal(of) ||
	forecasts.some(
		({signal, thresholds}) =>
			signal === of && thresholds.some(({isHard, crossing}) => isHard && crossing.type === 'met'),
	);

/**
 * When a pod may be evicted that ties with others: whenever one of them is.
 */
function timesAt(
	{first, last}: PressureEviction['place'],
	runs: readonly (readonly TimedKill[])[],
): readonly Instant[] {
	const at = runs.flatMap((kills) => kills.slice(first - 1, last));
	return new Set(at.map(({kill}) => kill.pod.uid)).size > 1 ? at.map((one) => one.at) : [];
}

/** Whether the kernel may trigger a pass as soon as memory falls below a threshold. */
function notified(
	found: readonly TimedKill[],
	{now}: PressureSituation,
	forecasts: readonly SignalForecast[],
): Instant {
	const ofMemory = new Set(found.map(({kill}) => kill.signal).filter((signal) => isSignal(signal)));
	const calls = forecasts
		.filter(({signal, kernelNotification}) => kernelNotification !== 'no' && ofMemory.has(signal))
		.flatMap(({thresholds}) => thresholds)
		.filter(({isHard}) => isHard)
		.map(({crossing}) => (crossing.type === 'met' ? now : 'at' in crossing ? crossing.at.earliest : now));
	return Math.min(Number.POSITIVE_INFINITY, ...calls);
}

const distinct = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];
