import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';

/** One possible sequence of monitor passes. */
export type PassSchedule = {
	readonly nextPass: Instant;
	/** From one pass to the next, where it has nothing to write. */
	readonly period: Duration;
	/** The same without the reads of silent nodes' leases, which a machine makes itself. */
	readonly idlePeriod: Duration;
	/** The first pass of the running controllers. */
	readonly firstPass: Instant;
	/** When passes began that writing made long, in order: those before them came so much earlier. */
	readonly longPasses?: readonly Instant[];
};

/** The passes of which nothing is known but their period. */
export const unknownSchedule = (now: Instant, period: Duration): PassSchedule => ({
	...{nextPass: now, period, idlePeriod: period},
	firstPass: beginningOfTime,
});

/** The first pass at or after an instant, if the period never changed but for the passes that are known to have been long. */
export function passAtOrAfter(schedule: PassSchedule, instant: Instant): Instant {
	const pass = nearestFrom(schedule, instant);
	return pass >= schedule.firstPass ? pass : nearestFrom(schedule, schedule.firstPass);
}

function nearestFrom({nextPass, period, longPasses = []}: PassSchedule, instant: Instant): Instant {
	const known = longPasses.find((at) => at >= instant) ?? nextPass;
	const before = longPasses.findLast((at) => at < instant) ?? beginningOfTime;
	const pass = known - Math.floor((known - instant) / period) * period;
	return pass - before < period ? pass + period : pass;
}

/** The last pass before the next one; undefined where the running controllers have made none yet. */
export function lastPass({nextPass, period, firstPass, longPasses = []}: PassSchedule): Instant | undefined {
	const long = longPasses.at(-1) ?? beginningOfTime;
	const last = nextPass - long < 2 * period ? long : nextPass - period;
	return last >= firstPass ? last : undefined;
}

/** How many passes after the next one the pass comes that is in progress at an instant. */
export function passesBefore(instant: Instant, {nextPass, period}: PassSchedule): number {
	return Math.max(0, Math.floor((instant - nextPass) / period));
}

/** When a pass begins that comes a number of passes after the next one. */
export function passAfter(passes: number, {nextPass, period}: PassSchedule): Instant {
	return nextPass + passes * period;
}
