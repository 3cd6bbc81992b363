import type {Duration, Instant} from '../../core/time/instant.ts';

/** One possible rhythm of the monitor passes: an instant at which one begins, and how long it is to the next. */
export type Rhythm = {
	readonly nextPass: Instant;
	readonly period: Duration;
	/** The first pass of the controllers that run now; there was none before. */
	readonly firstPass: Instant;
};

/** The first pass at or after an instant, as if the rhythm had always been the same. */
export function passAtOrAfter({nextPass, period, firstPass}: Rhythm, instant: Instant): Instant {
	const pass = nextPass - Math.floor((nextPass - instant) / period) * period;
	return pass >= firstPass ? pass : nextPass - Math.floor((nextPass - firstPass) / period) * period;
}

/** The last pass before the next one; undefined where the controllers have made none yet. */
export function lastPass({nextPass, period, firstPass}: Rhythm): Instant | undefined {
	const last = nextPass - period;
	return last >= firstPass ? last : undefined;
}

/** How many passes lie between the next one and the one that is at work at an instant. */
export function passesBefore(instant: Instant, {nextPass, period}: Rhythm): number {
	return Math.max(0, Math.floor((instant - nextPass) / period));
}

/** When a pass begins that comes so many after the next one. */
export function passAfter(passes: number, {nextPass, period}: Rhythm): Instant {
	return nextPass + passes * period;
}
