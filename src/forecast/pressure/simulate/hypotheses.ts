import {kept} from '../../../core/collections/kept.ts';
import {killTimeout} from '../../../core/nodepressure/killSequence.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import {conditionOf, resourceOf} from '../../../core/nodepressure/thresholds/signal.ts';
import {isHard, type Threshold} from '../../../core/nodepressure/thresholds/threshold.ts';
import {isMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {Random} from '../../../core/time/random.ts';
import {cleanup} from '../nextPass.ts';
import type {Trend} from '../observe/trend.ts';
import type {SignalForecast, ThresholdForecast} from '../pressureForecast.ts';
import {sureCrossingOf} from '../signalForecast.ts';
import {conditionSince, type PressureSituation, turnsTrueBy} from '../situation.ts';
import {contenders, limitContenders} from './contenders.ts';
import {type Course, cachedFor, type GrowthShare} from './projection.ts';

/** One possible state of everything that cannot be seen of a kubelet. */
export type PressureHypothesis = {
	/** From when on the node is run ahead: what was crossed since the newest measurement may have begun a grace period. */
	readonly startAt: Instant;
	/** When the first pass is, from then. */
	readonly passIn: Duration;
	readonly course: Course;
	readonly share: GrowthShare;
	/** Whether soft thresholds were first met as early as may be. */
	readonly isGraceOld: boolean;
	/** Whether a minimum reclaim is still to be had, where that may be. */
	readonly isReclaimPending: boolean;
	/** Whether pods take their time to end, and the kubelet to clean up. */
	readonly isSlow: boolean;
	/** How long pods take to end where they do not take their time. */
	readonly ending?: Duration;
	/** Which of several thresholds comes first. */
	readonly choice: number;
	/** By how much the list of pods is turned: pods that tie go in its order. */
	readonly rotation: number;
	readonly doesGarbageSuffice: boolean;
};

/** How far ahead evictions are looked for. */
export const evictionHorizon: Duration = 15 * minute;

const mostChoices = 3;
/** Of more pods that tie, each further one comes first at both ends alone. */
const mostRotations = 6;

type Temper = Pick<
	PressureHypothesis,
	'startAt' | 'passIn' | 'course' | 'isGraceOld' | 'isReclaimPending' | 'isSlow'
>;

/** As pods most likely grow. */
export const likely: GrowthShare = () => 0.5;

/** A pod grows as much as it may, and all others as little. */
export const favouring =
	(rival: string): GrowthShare =>
	(uid) =>
		uid === rival ? 1 : 0;

/** The signals that fall below a threshold in the time that is looked ahead, or may. */
export const nearSignals = (
	situation: PressureSituation,
	forecasts: readonly SignalForecast[],
): readonly SignalForecast[] =>
	forecasts.filter(({thresholds, trend}) =>
		thresholds.some((one) => isNear(one.crossing, situation) && !isOfStepAlone(one, trend)),
	);

/**
 * The hypotheses to run: everything as early as possible, as late as possible, and in the middle, each with several random
 * orders, and with each pod first that may overtake the others until then.
 */
export function hypotheses(
	situation: PressureSituation,
	near: readonly SignalForecast[],
): readonly PressureHypothesis[] {
	const choices = Math.min(mostChoices, Math.max(1, near.flatMap(({thresholds}) => thresholds).length));
	const rotations = rotationsOf(situation, near);
	const hasDisk = near.some(({signal}) => !['memory', 'pids'].includes(resourceOf(signal)));
	const found = tempers(situation, near);
	const usual = found
		.filter(({isUsual}) => isUsual)
		.flatMap((temper) =>
			range(choices).flatMap((choice) =>
				rotations.slice(0, mostRotations).flatMap((rotation) =>
					(hasDisk ? [false, true] : [false]).map((doesGarbageSuffice) => ({
						...temper,
						...{share: likely, choice, doesGarbageSuffice, rotation},
					})),
				),
			),
		);
	const rivals = rivalsOf(situation, near);
	const ends = found.filter(({isOfRivals}) => isOfRivals);
	const favoured = rivals.flatMap(({uid: rival}) =>
		ends.flatMap((temper) =>
			range(choices).map((choice) => ({
				...temper,
				...{share: favouring(rival), choice},
				...{rotation: 0, doesGarbageSuffice: false},
			})),
		),
	);
	const bothEnds = ends.filter(({course}) => course !== 'median');
	const further = bothEnds.flatMap((temper) =>
		rotations
			.slice(mostRotations)
			.map((rotation) => ({...temper, share: likely, choice: 0, rotation, doesGarbageSuffice: false})),
	);
	return [...usual, ...favoured, ...further];
}

/** Turns of the list of pods with which each of those that tie comes before the others. */
function rotationsOf({pods}: PressureSituation, near: readonly SignalForecast[]): readonly number[] {
	const tied = new Set(
		near.flatMap(({victims}) => victims.filter((one) => one.tied > 1).map(({pod}) => pod.uid)),
	);
	const found = pods.flatMap(({uid}, index) => (tied.has(uid) ? [index] : []));
	return found.length > 0 ? found : [0];
}

/** The pods of which one comes first; none where nobody can overtake another. */
function rivalsOf(situation: PressureSituation, near: readonly SignalForecast[]): readonly NodePod[] {
	const {now, settings} = situation;
	const found = near.flatMap(({signal, thresholds}) => {
		// A pass finds what was measured a while before it, and comes up to an interval after the threshold is crossed.
		const instants = thresholds.flatMap(({crossing}) => {
			if (!('at' in crossing)) return [now];
			const {earliest, expected, latest} = crossing.at;
			return [earliest - cachedFor, earliest, expected, (latest ?? now) + settings.monitoringInterval];
		});
		const reached = instants.map((at) => Math.min(at, now + evictionHorizon));
		const rivals = contenders(situation, signal, [...new Set(reached)]);
		return rivals.length > 1 ? rivals : [];
	});
	return [...new Set([...limitContenders(situation, now + evictionHorizon), ...found])];
}

/** How often chance is asked who comes first. */
const draws = 20;

/** Middling hypotheses in which each pod grows as chance will have it, within what fits: their shares are odds. */
export function drawnHypotheses(
	all: readonly PressureHypothesis[],
	{pods}: PressureSituation,
): readonly PressureHypothesis[] {
	const [middle] = all.filter(({course}) => course === 'median');
	if (!middle || !all.some(({share}) => share !== likely)) return [];
	return range(draws).map((draw) => {
		const random = new Random(draw + 1);
		const shares = new Map<string, number>();
		const share = (uid: string) => kept(shares, uid, () => random.next());
		return {...middle, share, rotation: Math.floor(random.next() * pods.length)};
	});
}

/** By then a few more measurements tell whether a step was the beginning of more, or noise. */
const nextMeasurements: Duration = minute;

/** Whether a threshold may be crossed only if the last step goes on, and not so soon that nothing else would tell of it before. */
function isOfStepAlone({crossing: {type}, distance}: ThresholdForecast, trend: Trend | null): boolean {
	if (type === 'met' || trend?.lowBefore === undefined) return false;
	const {perSecond, lowBefore, noise} = trend;
	const fall = (slope: number, margin: number) =>
		slope < 0 ? (Math.max(0, margin) / -slope) * second : Number.POSITIVE_INFINITY;
	return (
		fall(perSecond.low, distance - noise) > nextMeasurements &&
		fall(lowBefore, distance - noise) > evictionHorizon &&
		fall(perSecond.median, distance) > evictionHorizon
	);
}

function isNear(
	crossing: SignalForecast['thresholds'][number]['crossing'],
	{now}: PressureSituation,
): boolean {
	if (crossing.type === 'met') return true;
	return 'at' in crossing && crossing.at.earliest - now <= evictionHorizon;
}

/**
 * The earliest, the middle and the latest way. A pass that comes just after a threshold is crossed, and one that comes
 * just before, are tried as well: the phase of the passes is not known. Where one pod may overtake another, so are the
 * first pass with what was measured long before it, and the last with what was measured just then.
 */
function tempers(
	situation: PressureSituation,
	near: readonly SignalForecast[],
): readonly (Temper & {readonly isUsual: boolean; readonly isOfRivals: boolean})[] {
	const {now, settings, nextPass, newest} = situation;
	const interval = settings.monitoringInterval;
	const startAt = Math.min(now, Math.max(newest.seenAt, now - interval));
	const crossed = (since: Instant) =>
		near
			.flatMap(({thresholds}) => thresholds.map(({threshold}) => sureCrossingOf(situation, threshold, since)))
			.flatMap((crossing) => ('at' in crossing ? [crossing.at] : []))
			.slice(0, 4);
	const phase = (at: Instant | null, since: Instant, later: Duration) =>
		((((at ?? since) - since + later) % interval) + interval) % interval;
	const latestPass = (nextPass.latest ?? now + interval) - now;
	// A grace period that began with the latest pass that may have been ends with a later pass of the same phase.
	const begun = [...situation.metSince.values()].map(({hi}) => phase(hi, now, 0));
	const early = (passIn: Duration): Temper => ({
		startAt,
		passIn,
		course: 'steepest',
		isGraceOld: true,
		isReclaimPending: true,
		isSlow: false,
	});
	const middle = (passIn: Duration): Temper => ({
		...early(passIn),
		startAt: now,
		course: 'median',
		isReclaimPending: false,
	});
	const late = (passIn: Duration): Temper => ({
		startAt: now,
		passIn,
		course: 'flattest',
		isGraceOld: false,
		isReclaimPending: false,
		isSlow: true,
	});
	const each = (passes: readonly Duration[], temper: (passIn: Duration) => Temper) =>
		passes.map((passIn, index) => ({...temper(passIn), isUsual: true, isOfRivals: index === 0}));
	const [crossing] = crossed(now);
	const ofRivals = crossing
		? [{...middle(phase(crossing.earliest, now, 1)), isSlow: true}, middle(phase(crossing.latest, now, -2))]
		: [];
	const pursued = maybePending(situation).length > 0 ? [middle(interval / 2), late(latestPass)] : [];
	return [
		...ofRivals.map((temper) => ({...temper, isUsual: false, isOfRivals: true})),
		...each([0, ...crossed(startAt).map(({earliest}) => phase(earliest, startAt, 1))], early),
		...each([interval / 2, ...crossed(now).map(({expected}) => phase(expected, now, 1))], middle),
		...each([latestPass, ...begun, ...crossed(now).map(({latest}) => phase(latest, now, -2))], late),
		...pursued.map((temper) => ({...temper, isReclaimPending: true, isUsual: true, isOfRivals: false})),
	];
}

/**
 * The thresholds that a pass may have acted on whose minimum reclaim was not free when it was last measured: whether that
 * is still pursued is not known.
 */
export function maybePending(situation: PressureSituation): readonly Threshold[] {
	const {thresholds, observations, metSince, evidence, now} = situation;
	return thresholds.filter((threshold) => {
		const observed = observations.get(threshold.signal);
		if (!observed || !isMet(threshold, observed, true)) return false;
		const met = metSince.get(threshold);
		if (met) return met.lo + threshold.gracePeriod <= now;
		const condition = conditionOf(threshold.signal);
		if (wasResolved(threshold, situation)) return false;
		return (
			conditionSince(evidence, condition) !== undefined || turnsTrueBy(situation, condition) !== undefined
		);
	});
}

/** Whether enough was seen to be free for so long that a pass saw it too, and nothing was seen since for which one would act again. */
function wasResolved(threshold: Threshold, situation: PressureSituation): boolean {
	const {
		evidence: {samples},
		settings: {monitoringInterval},
	} = situation;
	const found = samples.map(({seenAt, summary}) => {
		const observed = observeSignals(summary).get(threshold.signal);
		const isMetWith = (reclaim: boolean) => observed === undefined || isMet(threshold, observed, reclaim);
		return {seenAt, isResolved: !isMetWith(true), isMet: isMetWith(false)};
	});
	const last = found.findLastIndex(({isResolved}) => isResolved);
	const end = found[last];
	if (!end || found.slice(last).some((one) => one.isMet)) return false;
	// Where nobody looked for longer than from pass to pass, any pass may have found less.
	const isBroken = ({seenAt, isResolved}: (typeof found)[number], index: number) =>
		!isResolved || (found[index + 1] ?? end).seenAt - seenAt > 2 * monitoringInterval;
	const begin = found[found.slice(0, last).findLastIndex(isBroken) + 1] ?? end;
	return end.seenAt - begin.seenAt >= longestPass(situation);
}

/** How long the pass that is under way may take at the most: one that evicts waits for the pod and for its cleanup, and the next follows at once. */
function longestPass({
	thresholds,
	metSince,
	settings: {maxPodGracePeriodSeconds},
	now,
}: PressureSituation): Duration {
	const mayGrantGrace = thresholds.some(
		(one) => !isHard(one) && (metSince.get(one)?.lo ?? Number.NEGATIVE_INFINITY) + one.gracePeriod <= now,
	);
	const seconds = mayGrantGrace ? Math.max(1, maxPodGracePeriodSeconds) : 1;
	return killTimeout(seconds) + cleanup;
}

const range = (count: number): readonly number[] => Array.from({length: count}, (_, index) => index);
