import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {monitorWorkers} from '../../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Interval, intersect} from '../interval.ts';
import {type ClientLimits, callDuration, throttleWait} from '../latencies.ts';
import type {PassObservation} from './passObservations.ts';

/** A pass that was seen: when it began, and how much its calls extended it. */
export type Pass = {
	readonly began: Interval;
	readonly extraWork: Duration;
	readonly source: string;
	/** From its first observation to its last. */
	readonly observed: Interval;
	/** By when it has written what its workers have last begun. */
	readonly writesUntil: Instant;
};

/**
 * Groups observations by pass. Those of a throttled pass are spread over time: only the first shows when it began.
 *
 * @param pause between two passes, in milliseconds
 */
export function groupIntoPasses(
	observations: readonly PassObservation[],
	pause: Duration,
	limits: ClientLimits,
): readonly Pass[] {
	const {kubeApiQps, kubeApiBurst} = limits;
	const inLine = kubeApiQps > 0 ? (monitorWorkers / kubeApiQps) * second : 0;
	const passes: {
		first: PassObservation;
		calls: number;
		lastCalls: readonly number[];
		lastAt: Instant;
		began: Interval;
		observations: number;
	}[] = [];
	for (const observation of observations.toSorted((a, b) => a.at.lo - b.at.lo)) {
		const pass = passes.at(-1);
		const mayLast =
			pass && kubeApiQps > 0 && pass.calls > kubeApiBurst ? (pass.calls / kubeApiQps) * second : 0;
		if (pass && observation.at.lo - pass.lastAt < pause / 2 + mayLast) {
			pass.calls += observation.calls;
			pass.lastCalls = [...pass.lastCalls, observation.calls].slice(-monitorWorkers);
			pass.lastAt = observation.at.lo;
			// A later observation may belong to the next pass.
			if (observation.at.lo - pass.first.at.lo < pause / 2)
				pass.began = laterBeginning(pass.began, observation, ++pass.observations, inLine);
		} else {
			const began = {lo: earliest(observation), hi: observation.at.hi};
			passes.push({
				first: observation,
				calls: observation.calls,
				lastCalls: [observation.calls],
				lastAt: observation.at.lo,
				began,
				observations: 1,
			});
		}
	}
	return passes.map(({first, calls, lastCalls, began, lastAt}) => {
		const observed = {lo: first.at.lo, hi: lastAt};
		const extraWork = calls * callDuration.hi + throttleWait(calls, limits);
		const begun = lastCalls.reduce((sum, each) => sum + each, 0);
		const isThrottled = kubeApiQps > 0 && calls > kubeApiBurst;
		const writesUntil = lastAt + begun * Math.max(callDuration.hi, isThrottled ? second / kubeApiQps : 0);
		return {began, extraWork, source: first.source, observed, writesUntil};
	});
}

/** Narrows when a pass began: before all that it did. Its workers take their first nodes at once, so these date it best. */
function laterBeginning(
	began: Interval,
	observation: PassObservation,
	observations: number,
	inLine: Duration,
): Interval {
	const lo = observations <= monitorWorkers ? earliest(observation) - inLine : began.lo;
	return intersect(began, {lo, hi: observation.at.hi}) ?? began;
}

const earliest = ({at, calls, isFirst}: PassObservation): Instant =>
	at.lo - (isFirst ? 0 : calls * callDuration.hi);

/** A pass that may have taken so long that nodes were tainted meanwhile. */
export type LongPass = {
	readonly endsBy: Instant;
	/** When it certainly acted itself; undefined if the observations may be of several passes. */
	readonly own: Interval | undefined;
};

/** The passes that may have taken so long that nodes were tainted meanwhile. */
export function longPasses(
	observations: readonly PassObservation[],
	settings: ClientLimits & Pick<ControllerSettings, 'nodeMonitorPeriod'>,
): readonly LongPass[] {
	const {nodeMonitorPeriod} = settings;
	return groupIntoPasses(observations, nodeMonitorPeriod, settings)
		.filter(({extraWork}) => extraWork > nodeMonitorPeriod / 2)
		.map(({began, extraWork, observed}) => ({
			endsBy: began.hi + extraWork,
			own: observed.hi - observed.lo < nodeMonitorPeriod / 2 ? observed : undefined,
		}));
}
