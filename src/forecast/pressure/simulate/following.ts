import type {Kill} from '../../../core/nodepressure/evictionEffect.ts';
import type {EvictionSettings} from '../../../core/nodepressure/thresholds/evictionSettings.ts';
import {isSignal} from '../../../core/nodepressure/thresholds/signal.ts';
import {isHard} from '../../../core/nodepressure/thresholds/threshold.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {PressureSituation} from '../situation.ts';
import {contenders} from './contenders.ts';
import {favouring, likely, type PressureHypothesis} from './hypotheses.ts';
import type {TrendEnd} from './projection.ts';

export type TimedKill = {readonly at: Instant; readonly kill: Kill};

const courses: readonly TrendEnd[] = ['steepest', 'median', 'flattest'];
/** How long pods usually take to end once they are killed; some take their whole grace period. */
const usualEndings: readonly Duration[] = [second, 3 * second, 6 * second];
const endingsBy = ({maxPodGracePeriodSeconds}: EvictionSettings): readonly Duration[] => {
	const longest = maxPodGracePeriodSeconds * second;
	return usualEndings.some((ending) => ending >= longest) ? usualEndings : [...usualEndings, longest];
};
/** How many phases of the passes are tried with each. */
const phases = 2;

/**
 * Further hypotheses if several pods are evicted: the duration of a kill moves the later passes, and so decides which pod is
 * next and when; another pod may have overtaken the next one by then; and what is free soon after a kill may no longer be
 * so once its cleanup is over, when the next pass goes on without a new grace period.
 *
 * @param all hypotheses of the first evicted pod
 * @param runs the kills of each
 */
export function followingHypotheses(
	all: readonly PressureHypothesis[],
	runs: readonly (readonly TimedKill[])[],
	situation: PressureSituation,
): readonly PressureHypothesis[] {
	if (!runs.some(({length}) => length > 1)) return [];
	const bases = courses.flatMap((course) => {
		const index = all.findIndex((one) => one.course === course && one.share === likely);
		const [base, kills] = [all[index], runs[index]];
		return base && kills ? [{base, kills}] : [];
	});
	const mayPursue = situation.settings.thresholds.some((one) => one.minReclaim || !isHard(one));
	const rivals = new Set(bases.flatMap(({kills}) => laterContenders(kills, situation)));
	return bases.flatMap(({base}) => [
		...atOtherPhases(base, situation.settings),
		...(mayPursue && base.course === 'steepest' ? [{...base, isPursuing: true} as const] : []),
		...[...rivals].map((rival) => ({...base, share: favouring(rival)})),
	]);
}

function atOtherPhases(base: PressureHypothesis, settings: EvictionSettings): readonly PressureHypothesis[] {
	const endings = endingsBy(settings);
	const {monitoringInterval: interval} = settings;
	return endings.flatMap((ending, index) =>
		Array.from({length: phases}, (_, phase) => ({
			...base,
			...{ending, isSlow: false},
			passIn: ((phase + (index + 1) / (endings.length + 1)) / phases) * interval,
		})),
	);
}

/** The pods, by UID, that may be evicted instead of another once those before it are gone. */
const laterContenders = (kills: readonly TimedKill[], situation: PressureSituation): readonly string[] =>
	kills.slice(1).flatMap(({at, kill: {signal}}, index) => {
		if (!isSignal(signal)) return [];
		const gone = new Set(kills.slice(0, index + 1).map(({kill}) => kill.pod.uid));
		return contenders(situation, signal, [at], gone).map(({uid}) => uid);
	});
