import {resourceOf} from '../../../core/nodepressure/thresholds/signal.ts';
import {isMet} from '../../../core/nodepressure/thresholds/thresholdsMet.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {SignalForecast} from '../pressureForecast.ts';
import {crossingOf} from '../signalForecast.ts';
import type {PressureSituation} from '../situation.ts';
import type {Course} from './projection.ts';

/** One possible state of everything that cannot be seen of a kubelet. */
export type PressureHypothesis = {
	/** From when on the node is run ahead: what was crossed since the newest measurement may have begun a grace period. */
	readonly startAt: Instant;
	/** When the first pass is, from then. */
	readonly passIn: Duration;
	readonly course: Course;
	/** Whether soft thresholds were first met as early as may be. */
	readonly isGraceOld: boolean;
	/** Whether a minimum reclaim is still to be had, where that may be. */
	readonly isReclaimPending: boolean;
	/** Whether pods take their time to end, and the kubelet to clean up. */
	readonly isSlow: boolean;
	/** Which of several thresholds comes first. */
	readonly choice: number;
	/** By how much the list of pods is turned: pods that tie go in its order. */
	readonly rotation: number;
	readonly doesGarbageSuffice: boolean;
};

/** How far ahead evictions are looked for. */
export const evictionHorizon: Duration = 15 * minute;

const mostChoices = 3;
const mostRotations = 6;

type Temper = Pick<
	PressureHypothesis,
	'startAt' | 'passIn' | 'course' | 'isGraceOld' | 'isReclaimPending' | 'isSlow'
>;

/**
 * The hypotheses to run: everything as early as possible, as late as possible, and in the middle, each with several random
 * orders.
 */
export function hypotheses(
	situation: PressureSituation,
	forecasts: readonly SignalForecast[],
): readonly PressureHypothesis[] {
	const near = forecasts.filter(({thresholds}) =>
		thresholds.some(({crossing}) => isNear(crossing, situation)),
	);
	const choices = Math.min(mostChoices, Math.max(1, near.flatMap(({thresholds}) => thresholds).length));
	const ties = near.flatMap(({victims}) => victims.map(({tied}) => tied));
	const rotations = Math.min(mostRotations, Math.max(1, ...ties));
	const hasDisk = near.some(({signal}) => !['memory', 'pids'].includes(resourceOf(signal)));
	return tempers(situation, near).flatMap((temper) =>
		range(choices).flatMap((choice) =>
			range(rotations).flatMap((rotation) =>
				(hasDisk ? [false, true] : [false]).map((doesGarbageSuffice) => ({
					...temper,
					choice,
					rotation: rotation * Math.max(1, Math.floor(situation.pods.length / rotations)),
					doesGarbageSuffice,
				})),
			),
		),
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
 * just before, are tried as well: the phase of the passes is not known.
 */
function tempers(situation: PressureSituation, near: readonly SignalForecast[]): readonly Temper[] {
	const {now, settings, nextPass, newest} = situation;
	const interval = settings.monitoringInterval;
	const startAt = Math.min(now, Math.max(newest.seenAt, now - interval));
	const crossed = (since: Instant) =>
		near
			.flatMap(({thresholds}) => thresholds.map(({threshold}) => crossingOf(situation, threshold, since)))
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
	return [
		...[0, ...crossed(startAt).map(({earliest}) => phase(earliest, startAt, 1))].map(early),
		...[interval / 2, ...crossed(now).map(({expected}) => phase(expected, now, 1))].map(middle),
		...[latestPass, ...begun, ...crossed(now).map(({latest}) => phase(latest, now, -2))].map(late),
	];
}

/** Thresholds that are above again but whose minimum reclaim is not free yet: whether it is still pursued is not known. */
export function maybePending({thresholds, observations, metSince}: PressureSituation) {
	return thresholds.filter((threshold) => {
		const observed = observations.get(threshold.signal);
		return observed !== undefined && !metSince.has(threshold) && isMet(threshold, observed, true);
	});
}

const range = (count: number): readonly number[] => Array.from({length: count}, (_, index) => index);
