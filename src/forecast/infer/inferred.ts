import type {SettingsSpan} from '../../core/model/settingsSpan.ts';
import type {Duration} from '../../core/time/instant.ts';
import type {Observed} from '../observe/observed.ts';
import {EvictionStops} from './evictionStop.ts';
import type {PassInProgress} from './passInProgress.ts';
import type {PassPhase} from './passPhase.ts';
import type {PassSchedule} from './passSchedule.ts';
import {ThrottledPasses} from './throttledPasses.ts';
import {type ZonesPast, ZonesToCome} from './zonePast.ts';

/** What the evidence shows of the monitor passes. */
export type InferredPasses = Readonly<{
	phase: PassPhase;
	/** One from the middle of those that agree with the evidence, by their paces and instants. */
	schedule: PassSchedule;
	/** The pass in progress, if throttling makes it long. */
	throttledPass: PassInProgress | undefined;
	/** An unthrottled pass that may be in progress, or just over. */
	maybeUnfinishedPass: PassInProgress | undefined;
	/** How far apart the tried instants of the next pass lie, in milliseconds: both ends of a range allow for it. */
	phaseSpacing: Duration;
}>;

/** What was observed, and what follows for the hidden state of the controllers. */
export type Inferred = Observed &
	Readonly<{
		/** The settings that are possible; `settings` are the likeliest, or those that are simulated. */
		span: SettingsSpan;
		passes: InferredPasses;
		/** The zones by the present conditions of their nodes. */
		zones: ZonesPast;
		zonesToCome: ZonesToCome;
		stops: EvictionStops;
		throttled: ThrottledPasses;
	}>;

export function inferredOf(
	observed: Observed & Pick<Inferred, 'span'>,
	passes: InferredPasses,
	zones: ZonesPast,
): Inferred {
	const {throttledPass, maybeUnfinishedPass} = passes;
	const zonesToCome = new ZonesToCome(observed);
	return {
		...observed,
		passes,
		zones,
		zonesToCome,
		stops: new EvictionStops(observed, zones, zonesToCome, throttledPass ?? maybeUnfinishedPass),
		throttled: new ThrottledPasses(observed, throttledPass),
	};
}
