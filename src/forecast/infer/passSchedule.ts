import type {Duration, Instant} from '../../core/time/instant.ts';

/** One possible sequence of monitor passes. */
export type PassSchedule = {
	readonly nextPass: Instant;
	/** From one pass to the next, where it has nothing to write. */
	readonly period: Duration;
	/** The same without the reads of silent nodes' leases, which a machine makes itself. */
	readonly idlePeriod: Duration;
	/** The first pass of the running controllers. */
	readonly firstPass: Instant;
};

/** The passes of which nothing is known but their period. */
export const unknownSchedule = (now: Instant, period: Duration): PassSchedule => ({
	...{nextPass: now, period, idlePeriod: period},
	firstPass: Number.NEGATIVE_INFINITY,
});

/** The first pass at or after an instant, if the period never changed. */
export function passAtOrAfter({nextPass, period, firstPass}: PassSchedule, instant: Instant): Instant {
	const pass = nextPass - Math.floor((nextPass - instant) / period) * period;
	return pass >= firstPass ? pass : nextPass - Math.floor((nextPass - firstPass) / period) * period;
}

/** The last pass before the next one; undefined where the running controllers have made none yet. */
export function lastPass({nextPass, period, firstPass}: PassSchedule): Instant | undefined {
	const last = nextPass - period;
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
