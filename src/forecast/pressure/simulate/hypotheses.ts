import {unique} from '../../../core/collections/unique.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {resourceOf} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, minute, never} from '../../../core/time/instant.ts';
import type {Trend} from '../observe/trend.ts';
import type {SignalForecast, ThresholdForecast} from '../pressureForecast.ts';
import {sureCrossingOf} from '../signalForecast.ts';
import type {PressureSituation} from '../situation.ts';
import {contenders, limitContenders} from './contenders.ts';
import {type Crossing, fallTime} from './crossing.ts';
import {cachedFor, type GrowthShare, type TrendEnd} from './projection.ts';
import {maybePending} from './pursuit.ts';

/** One possible state of everything that cannot be seen of a kubelet. */
export type PressureHypothesis = Readonly<{
	/** When the simulation starts: thresholds crossed since the newest measurement may have started a grace period. */
	startAt: Instant;
	/** The time from then to the first pass. */
	passIn: Duration;
	course: TrendEnd;
	share: GrowthShare;
	/** Whether soft thresholds were first met as early as possible. */
	isGraceOld: boolean;
	/** Whether a minimum reclaim is still pursued, if that is possible. */
	isReclaimPending: boolean;
	/** Whether pods end, and the kubelet cleans up, as slowly as possible. */
	isSlow: boolean;
	/** Which of several thresholds comes first. */
	choice: number;
	/** How far the list of pods is rotated: pods that tie are evicted in its order. */
	rotation: number;
	doesGarbageSuffice: boolean;
}>;

/** How far ahead evictions are searched for. */
export const evictionHorizon: Duration = 15 * minute;

const mostChoices = 3;
/** If more pods tie, each further one comes first only at both ends. */
const mostRotations = 6;

type PassTiming = Omit<PressureHypothesis, 'share' | 'choice' | 'rotation' | 'doesGarbageSuffice'>;

/** The signals that fall, or may fall, below a threshold within the horizon. */
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
	const mostOf = Math.min(mostChoices, Math.max(1, near.flatMap(({thresholds}) => thresholds).length));
	const choices = Array.from({length: mostOf}, (_, choice) => choice);
	const rotations = rotationsOf(situation, near);
	const hasDisk = near.some(({signal}) => !['memory', 'pids'].includes(resourceOf(signal)));
	const {timings, ends} = timingsOf(situation, near);
	const usual = {share: () => 0.5, choice: 0, rotation: 0, doesGarbageSuffice: false};
	const inEachOrder = timings.flatMap((timing) =>
		choices.flatMap((choice) =>
			rotations.slice(0, mostRotations).flatMap((rotation) =>
				(hasDisk ? [false, true] : [false]).map((doesGarbageSuffice) => ({
					...usual,
					...timing,
					choice,
					rotation,
					doesGarbageSuffice,
				})),
			),
		),
	);
	const favoured = rivalsOf(situation, near).flatMap(({uid: rival}) =>
		// It grows as much as possible, and all others as little.
		ends.flatMap((timing) =>
			choices.map((choice) => ({
				...usual,
				...timing,
				share: (uid: string) => (uid === rival ? 1 : 0),
				choice,
			})),
		),
	);
	const further = ends
		.filter(({course}) => course !== 'median')
		.flatMap((timing) => rotations.slice(mostRotations).map((rotation) => ({...usual, ...timing, rotation})));
	return [...inEachOrder, ...favoured, ...further];
}

/** Rotations of the list of pods that put each of the tied pods before the others. */
function rotationsOf({pods}: PressureSituation, near: readonly SignalForecast[]): readonly number[] {
	const tied = new Set(
		near.flatMap(({victims}) => victims.filter((one) => one.tied > 1).map(({pod}) => pod.uid)),
	);
	const found = pods.flatMap(({uid}, index) => (tied.has(uid) ? [index] : []));
	return found.length > 0 ? found : [0];
}

/** The pods of which one is evicted first; none if no pod can overtake another. */
function rivalsOf(situation: PressureSituation, near: readonly SignalForecast[]): readonly NodePod[] {
	const {now, settings} = situation;
	const found = near.flatMap(({signal, thresholds}) => {
		// A pass sees measurements from a while before it, and comes up to an interval after the threshold is crossed.
		const instants = thresholds.flatMap(({crossing}) => {
			if (!crossing.at) return [now];
			const {earliest, expected, latest} = crossing.at;
			return [earliest - cachedFor, earliest, expected, (latest ?? now) + settings.monitoringInterval];
		});
		const reached = instants.map((at) => Math.min(at, now + evictionHorizon));
		const rivals = contenders(situation, signal, unique(reached));
		return rivals.length > 1 ? rivals : [];
	});
	return unique([...limitContenders(situation, now + evictionHorizon), ...found]);
}

/** After this time a few more measurements show whether a step was a beginning, or noise. */
const nextMeasurements: Duration = minute;

/** Whether a threshold is crossed only if the last step continues, and so late that other measurements show it before. */
function isOfStepAlone({crossing: {type}, distance}: ThresholdForecast, trend: Trend | null) {
	if (type === 'met' || trend?.lowBefore === undefined) return false;
	const {perSecond, lowBefore, noise} = trend;
	return (
		fallTime(perSecond.low, distance - noise) > nextMeasurements &&
		fallTime(lowBefore, distance - noise) > evictionHorizon &&
		fallTime(perSecond.median, distance) > evictionHorizon
	);
}

const isNear = ({type, at}: Crossing, {now}: PressureSituation) =>
	type === 'met' || (at?.earliest ?? never) - now <= evictionHorizon;

/**
 * The earliest, the middle and the latest way. A pass just after a threshold is crossed, and one just before, are tried as
 * well, as the phase of the passes is unknown. Of these, `ends` are tried with each pod first that may overtake another, and
 * so are the first pass with measurements from long before it, and the last with measurements from just then.
 */
function timingsOf(situation: PressureSituation, near: readonly SignalForecast[]) {
	const {now, settings, nextPass, newest} = situation;
	const interval = settings.monitoringInterval;
	const startAt = Math.min(now, Math.max(newest.seenAt, now - interval));
	const crossed = (since: Instant) =>
		near
			.flatMap(({thresholds}) => thresholds)
			.flatMap(({threshold}) => sureCrossingOf(situation, threshold, since).at ?? [])
			.slice(0, 4);
	const phase = (at: Instant | null, since: Instant, later: Duration) =>
		((((at ?? since) - since + later) % interval) + interval) % interval;
	const latestPass = nextPass.end - now;
	const early = (passIn: Duration): PassTiming => ({
		startAt,
		passIn,
		course: 'steepest',
		isGraceOld: true,
		isReclaimPending: true,
		isSlow: false,
	});
	const middle = (passIn: Duration): PassTiming => ({
		...early(passIn),
		startAt: now,
		course: 'median',
		isReclaimPending: false,
	});
	const late = (passIn: Duration): PassTiming => ({
		...middle(passIn),
		course: 'flattest',
		isGraceOld: false,
		isSlow: true,
	});
	const [crossing] = crossed(now);
	const ofRivals = crossing
		? [{...middle(phase(crossing.earliest, now, 1)), isSlow: true}, middle(phase(crossing.latest, now, -2))]
		: [];
	const usual = [early(0), middle(interval / 2), late(latestPass)];
	const pursued = maybePending(situation).length > 0 ? usual.slice(1) : [];
	const timings = [
		...usual,
		...crossed(startAt).map(({earliest}) => early(phase(earliest, startAt, 1))),
		...crossed(now).map(({expected}) => middle(phase(expected, now, 1))),
		...crossed(now).map(({latest}) => late(phase(latest, now, -2))),
		...pursued.map((timing) => ({...timing, isReclaimPending: true})),
	];
	return {timings, ends: [...ofRivals, ...usual]};
}
