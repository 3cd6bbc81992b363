import type {Duration, Instant} from '../../core/time/instant.ts';

/** One possible schedule of the monitor passes: when one begins, and the period. */
export type PassSchedule = {
	readonly nextPass: Instant;
	readonly period: Duration;
	/** The first pass of the controllers that run now; there was none before. */
	readonly firstPass: Instant;
};

/** The first pass at or after an instant, as if the schedule had always been the same. */
export function passAtOrAfter({nextPass, period, firstPass}: PassSchedule, instant: Instant): Instant {
	const pass = nextPass - Math.floor((nextPass - instant) / period) * period;
	return pass >= firstPass ? pass : nextPass - Math.floor((nextPass - firstPass) / period) * period;
}

/** The last pass before the next one; undefined where the controllers have made none yet. */
export function lastPass({nextPass, period, firstPass}: PassSchedule): Instant | undefined {
	const last = nextPass - period;
	return last >= firstPass ? last : undefined;
}

/** How many passes lie between the next one and the one that is at work at an instant. */
export function passesBefore(instant: Instant, {nextPass, period}: PassSchedule): number {
	return Math.max(0, Math.floor((instant - nextPass) / period));
}

/** When a pass begins that comes so many after the next one. */
export function passAfter(passes: number, {nextPass, period}: PassSchedule): Instant {
	return nextPass + passes * period;
}
