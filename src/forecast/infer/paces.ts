import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Evidence} from '../observe/evidence.ts';
import {middle, shift} from '../observe/interval.ts';
import {passDuration} from '../observe/latencies.ts';
import {type PassPhase, passPhase} from './passPhase.ts';
import type {SettingsSpan} from './settingsSpan.ts';

/** A possible period of the passes, and when they begin with it. */
export type Pace = {
	readonly nodeMonitorPeriod: Duration;
	readonly phase: PassPhase;
	/** Whether it is tried with a quantile of the other unknowns. */
	readonly isTriedAt: (quantile: number) => boolean;
};

/**
 * The periods to try, the longest first. If the period is a range, both ends are tried: with a short one everything may come
 * earlier; with a long one nodes are queued together, so that any of them may be the first. The likeliest gives the expected
 * time.
 */
export function pacesOf(
	{passObservations, nodes}: Evidence,
	{earlyEnd, usual, lateEnd}: SettingsSpan,
	now: Instant,
	reads: Duration,
): readonly [Pace, ...Pace[]] {
	const duration = passDuration(nodes.size);
	const likeliest = {
		nodeMonitorPeriod: usual.nodeMonitorPeriod,
		phase: passPhase(passObservations, usual, duration, now, reads),
	};
	if (earlyEnd.nodeMonitorPeriod === lateEnd.nodeMonitorPeriod)
		return [{...likeliest, isTriedAt: () => true}];
	const paceOf = (settings: ControllerSettings): Pace => {
		const {nodeMonitorPeriod} = settings;
		const apart = {
			lo: duration.lo + earlyEnd.nodeMonitorPeriod - nodeMonitorPeriod,
			hi: duration.hi + lateEnd.nodeMonitorPeriod - nodeMonitorPeriod,
		};
		const {begins: found, stretchedPasses, source} = passPhase(passObservations, settings, apart, now, reads);
		const idlePeriod = shift(duration, nodeMonitorPeriod);
		const period = {lo: idlePeriod.lo, hi: idlePeriod.hi + reads};
		const begins = {lo: found.lo, hi: Math.min(found.hi, Math.max(now, found.lo) + period.hi)};
		return {
			nodeMonitorPeriod,
			phase: {begins, period, idlePeriod, stretchedPasses, source},
			isTriedAt: (quantile) => quantile !== middle,
		};
	};
	return [paceOf(lateEnd), paceOf(earlyEnd), {...likeliest, isTriedAt: (quantile) => quantile === middle}];
}
