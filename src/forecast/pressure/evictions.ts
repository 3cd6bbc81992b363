import {protectionOf} from '../../core/nodepressure/criticalPod.ts';
import type {Kill} from '../../core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../core/nodepressure/evictionLoop.ts';
import {type EvictionState, initialState} from '../../core/nodepressure/evictionState.ts';
import {exceededLimits} from '../../core/nodepressure/localStorageLimits.ts';
import {immediateGraceSeconds} from '../../core/nodepressure/reclaim.ts';
import {statsByUid} from '../../core/nodepressure/summary.ts';
import {isSignal, resourceOf} from '../../core/nodepressure/thresholds/signal.ts';
import {isHard} from '../../core/nodepressure/thresholds/threshold.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import {Range, type Told} from '../range.ts';
import {cleanup} from './nextPass.ts';
import {firmPoints} from './observe/trend.ts';
import type {PressureEviction, SignalForecast, ThresholdForecast} from './pressureForecast.ts';
import {followingHypotheses, type TimedKill} from './simulate/following.ts';
import {
	drawnHypotheses,
	evictionHorizon,
	hypotheses,
	maybePending,
	nearSignals,
	type PressureHypothesis,
} from './simulate/hypotheses.ts';
import {ProjectedNode} from './simulate/projectedNode.ts';
import {Projection} from './simulate/projection.ts';
import type {PressureSituation} from './situation.ts';

/** The most evictions that are forecast: later ones are too uncertain. */
const mostKills = 6;

/** Passes are tried some milliseconds before and after each crossing; ranges allow for that. */
const slack: Duration = 5;

/** Forecasts which pods are killed if trends go on: runs the ported eviction manager ahead for each hypothesis. */
export function pressureEvictions(
	situation: PressureSituation,
	forecasts: readonly SignalForecast[],
): readonly PressureEviction[] {
	const near = nearSignals(situation, forecasts);
	const all = hypotheses(situation, near);
	const run = (one: PressureHypothesis, most: number) => runAhead(situation, near, one, most);
	const usual = all.map((hypothesis) => run(hypothesis, mostKills));
	const following = followingHypotheses(all, usual, situation);
	const runs = [...usual, ...following.map((hypothesis) => run(hypothesis, mostKills))];
	const isMiddling = [...all, ...following].map(({course}) => course === 'median');
	const drawn = drawnHypotheses(all, situation).map((hypothesis) => run(hypothesis, 1));
	const uids = new Set(runs.flatMap((kills) => kills.map(({kill}) => kill.pod.uid)));
	const evictions = [...uids]
		.map((uid) => merged(uid, {runs, isMiddling, drawn}, situation, forecasts))
		.filter((eviction) => eviction !== undefined)
		.toSorted(
			(a, b) =>
				a.place.first - b.place.first ||
				b.firstProbability - a.firstProbability ||
				a.when.expected - b.when.expected,
		);
	return inOrder(evictions);
}

/** None before the first: of others only those runs tell in which they go at all. */
function inOrder(evictions: readonly PressureEviction[]): readonly PressureEviction[] {
	const firsts = evictions.filter(({place}) => place.first === 1);
	const earliest = Math.min(...firsts.map(({when}) => when.earliest));
	let expected = Number.NEGATIVE_INFINITY;
	return evictions.map((one) => {
		const {when, place} = one;
		expected = Math.max(expected, when.expected);
		if (place.first === 1) return one;
		return {
			...one,
			when: new Range(Math.max(earliest, when.earliest), expected, when.latest, when.told),
		};
	});
}

function runAhead(
	situation: PressureSituation,
	near: readonly SignalForecast[],
	hypothesis: PressureHypothesis,
	most: number,
): readonly TimedKill[] {
	const {now, settings, killed, pods} = situation;
	const projection = new Projection(
		situation,
		near.map(({signal}) => signal),
		hypothesis,
	);
	const node = new ProjectedNode(projection, situation, hypothesis);
	const until = now + evictionHorizon;
	const resting = (at: Instant) => ({type: 'resting', until: at}) as const;
	const start = hypothesis.startAt + hypothesis.passIn;
	const state = stateOf(situation, hypothesis);
	let loop = new EvictionLoop(settings, node, hypothesis.startAt, {phase: resting(start), state});
	const left = new Set(pods.filter((pod) => !protectionOf(pod) && !killed.has(pod.uid)).map(({uid}) => uid));
	const kills: TimedKill[] = [];
	while (kills.length < most && left.size > 0) {
		const busyAt = nextBusyPass(loop, node, settings.monitoringInterval, until);
		if (busyAt > until) break;
		if (busyAt > loop.nextDueAt)
			loop = new EvictionLoop(settings, node, loop.now, {phase: resting(busyAt), state: loop.state});
		for (const {at, effect} of loop.advanceTo(busyAt)) {
			// A pod that is being killed already is only killed once more.
			if (effect.type !== 'killed' || killed.has(effect.pod.uid)) continue;
			kills.push({at: Math.max(now, at), kill: effect});
			left.delete(effect.pod.uid);
		}
	}
	return kills;
}

/** When a loop has something to do: passes that find nothing are left out, which take most of the time. */
function nextBusyPass(
	{nextDueAt, phase, state}: EvictionLoop,
	node: ProjectedNode,
	interval: Duration,
	until: Instant,
): Instant {
	const isIdle =
		phase.type === 'resting' && state.firstObserved.size === 0 && state.thresholdsMet.length === 0;
	let at = nextDueAt;
	while (isIdle && at <= until && !node.isBusyAt(at)) at += interval;
	return at;
}

/** What the kubelet remembers in a hypothesis. */
function stateOf(
	situation: PressureSituation,
	{startAt, isGraceOld, isReclaimPending}: PressureHypothesis,
): EvictionState {
	const {settings, fileSystems, thresholds, metSince} = situation;
	const pending = isReclaimPending ? maybePending(situation) : [];
	const first = [...metSince].map(([threshold, {lo, hi}]) => [threshold, isGraceOld ? lo : hi] as const);
	return {
		...initialState(settings),
		thresholds,
		fileSystems,
		firstObserved: new Map([
			...first,
			...pending.map((threshold) => [threshold, startAt - threshold.gracePeriod] as const),
		]),
		thresholdsMet: pending,
	};
}

/** What became of each hypothesis, which of them take the trend as it most likely is, and who goes first as chance decides. */
type TriedRuns = {
	readonly runs: readonly (readonly TimedKill[])[];
	readonly isMiddling: readonly boolean[];
	readonly drawn: readonly (readonly TimedKill[])[];
};

function merged(
	uid: string,
	{runs, isMiddling, drawn}: TriedRuns,
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
	// One that ties with others may go whenever one of them does.
	const shared = runs.flatMap((kills) => kills.slice(place.first - 1, place.last)).map(({at}) => at);
	const isCertain = found.length === runs.length && !mayKillUnseen(situation);
	const isUntold = place.last > 1 || !isDue(one.kill, situation, forecasts);
	const isBlind = isUntold && found.some(({kill}) => hasNoTrend(kill.signal, forecasts));
	// The phase of the passes after an eviction is not tried out, and for a pod's own limit none is.
	const isAnyPhase =
		place.last > 1 || isAfterEviction(situation) || found.some(({kill}) => !isSignal(kill.signal));
	const early = isAnyPhase ? situation.settings.monitoringInterval : 0;
	const first = Math.min(...own, ...shared, notified(found, situation, forecasts)) - early;
	const mayBegin = isBlind || (situation.hasYoungPods && found.some(({kill}) => isSignal(kill.signal)));
	const earliest = mayBegin ? situation.now : Math.max(situation.now, first - slack);
	const latest = isCertain && !isBlind ? Math.max(...own, ...shared) + early + slack : null;
	const median = own[Math.floor(own.length / 2)] ?? one.at;
	// One that only the steepest trend evicts is not likely then.
	const isLikely = places.some((at, index) => at >= 0 && isMiddling[index]);
	const byTrend = isLikely ? ({at: median, as: 'about'} as const) : undefined;
	const byThresholds = place.first === 1 ? toldWithoutTrend(found, forecasts) : undefined;
	// Without a trend the runs know nothing of when.
	const told = isBlind ? byThresholds : byTrend;
	return {
		pod: one.kill.pod,
		when: new Range(earliest, Math.max(earliest, told?.at ?? median), latest, told?.as),
		signals: distinct(found.map(({kill}) => kill.signal)),
		graceSeconds: distinct([
			...(isBlind && mayCrossHard(found, forecasts) ? [immediateGraceSeconds] : []),
			...found.map(({kill}) => kill.graceSeconds),
		]),
		isCertain: isCertain && !isBlind,
		place,
		firstProbability: shareOfFirst(uid, drawn.length > 0 ? drawn : runs),
		message: one.kill.message,
	};
}

/** Whether a soft threshold may have made its kubelet kill a pod that takes its time to end: no other goes until then. */
const mayKillUnseen = ({metSince, killed, settings, now}: PressureSituation): boolean =>
	killed.size === 0 &&
	settings.maxPodGracePeriodSeconds > 1 &&
	[...metSince].some(([threshold, {lo}]) => !isHard(threshold) && lo + threshold.gracePeriod <= now);

/** Whether pods are ending, or ended so lately that what they had may still be given back. */
const isAfterEviction = ({trends, killed, newest}: PressureSituation): boolean =>
	killed.size > 0 || trends.gone.some(({ended}) => newest.seenAt <= ended.hi + cleanup);

function shareOfFirst(uid: string, runs: readonly (readonly TimedKill[])[]): number {
	const decided = runs.filter(({length}) => length > 0);
	return decided.filter(([first]) => first?.kill.pod.uid === uid).length / Math.max(1, decided.length);
}

/** Whether too little was measured for a trend: the signal may fall or rise at any pace, and a pod's storage grow so. */
const hasNoTrend = (of: Kill['signal'], forecasts: readonly SignalForecast[]): boolean =>
	forecasts.some(
		({signal, trend}) =>
			(isSignal(of) ? signal === of : resourceOf(signal) === 'ephemeral-storage') &&
			(trend?.points ?? 0) < firmPoints,
	);

/**
 * When a pass most likely evicts, by the thresholds that tell that without a trend: about when, or only by when, where a hard one
 * may be crossed before the grace period of a soft one ends. Undefined where none does.
 */
function toldWithoutTrend(
	found: readonly TimedKill[],
	forecasts: readonly SignalForecast[],
): {readonly at: Instant; readonly as: Told} | undefined {
	const own = forecasts
		.filter(({signal}) => found.some(({kill}) => kill.signal === signal))
		.flatMap(({thresholds}) => thresholds);
	const first = (of: (one: ThresholdForecast) => Instant | null) =>
		Math.min(...own.map((one) => of(one) ?? Number.POSITIVE_INFINITY));
	const about = first(({evictsAbout}) => evictsAbout);
	const isOfHard = about === first(({isHard, evictsAbout}) => (isHard ? evictsAbout : null));
	const by = Math.min(
		about,
		first(({evictsBy}) => evictsBy),
	);
	if (!Number.isFinite(by)) return undefined;
	const isSooner = !Number.isFinite(about) || own.some(mayCross);
	return isSooner && !(isOfHard && by === about) ? {at: by, as: 'by'} : {at: about, as: 'about'};
}

/** Whether a hard threshold of what runs short may be crossed before a soft one evicts: that gives pods no time. */
const mayCrossHard = (found: readonly TimedKill[], forecasts: readonly SignalForecast[]): boolean =>
	forecasts.some(
		({signal, thresholds}) => found.some(({kill}) => kill.signal === signal) && thresholds.some(mayCross),
	);

/** Whether a hard threshold may be crossed any moment, as far as anything tells. */
const mayCross = ({isHard, crossing}: ThresholdForecast): boolean =>
	isHard && crossing.type !== 'met' && crossing.type !== 'notOnThisTrend';

/** Whether a pass evicts for it at once, whatever its trend: a hard threshold is met, or a limit of a pod's own. */
function isDue(
	{pod, signal: of}: Kill,
	{newest, fileSystems}: PressureSituation,
	forecasts: readonly SignalForecast[],
): boolean {
	if (isSignal(of))
		return forecasts.some(
			({signal, thresholds}) =>
				signal === of && thresholds.some(({isHard, crossing}) => isHard && crossing.type === 'met'),
		);
	const stats = statsByUid(newest.summary).get(pod.uid);
	return stats !== undefined && exceededLimits(pod, stats, fileSystems).length > 0;
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
