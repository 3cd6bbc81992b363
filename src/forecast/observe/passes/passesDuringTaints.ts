import type {Instant} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {groupIntoPasses, type PassLimits} from './groupIntoPasses.ts';
import type {PassObservation} from './passObservations.ts';

/** A pass that may have taken so long that nodes were tainted meanwhile. */
export type PassDuringTaints = {
	readonly endsBy: Instant;
	/** When it certainly acted itself; undefined if the observations may be of several passes. */
	readonly own: Interval | undefined;
};

/** The passes that may have taken so long that nodes were tainted meanwhile. */
export function passesDuringTaints(
	observations: readonly PassObservation[],
	settings: PassLimits,
): readonly PassDuringTaints[] {
	const {nodeMonitorPeriod} = settings;
	return groupIntoPasses(observations, settings)
		.filter(({extraWork}) => extraWork > nodeMonitorPeriod / 2)
		.map(({began, extraWork, observed}) => ({
			endsBy: began.hi + extraWork,
			own: observed.hi - observed.lo < nodeMonitorPeriod / 2 ? observed : undefined,
		}));
}
