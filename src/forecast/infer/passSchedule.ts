import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';

/** One possible sequence of monitor passes. */
export type PassSchedule = {
	readonly nextPass: Instant;
	/** From one pass to the next, if it has nothing to write. */
	readonly period: Duration;
	/** The same without the reads of silent nodes' leases, which a machine makes itself. */
	readonly idlePeriod: Duration;
	/** The first pass of the running controllers. */
	readonly firstPass: Instant;
	/** The passes that writes stretched, in order: earlier passes came that much earlier. */
	readonly stretchedPasses?: readonly StretchedPass[];
};

/** When a pass began and ended: the next one begins a period after its end. */
export type StretchedPass = {readonly at: Instant; readonly until: Instant};

/** Passes of which only the period is known. */
export const unknownSchedule = (now: Instant, period: Duration): PassSchedule => ({
	...{nextPass: now, period, idlePeriod: period},
	firstPass: beginningOfTime,
});

/** The first pass at or after an instant, if only the known stretched passes changed the period. */
export function passAtOrAfter(schedule: PassSchedule, instant: Instant): Instant {
	const pass = nearestFrom(schedule, instant);
	return pass >= schedule.firstPass ? pass : nearestFrom(schedule, schedule.firstPass);
}

function nearestFrom({nextPass, period, stretchedPasses = []}: PassSchedule, instant: Instant): Instant {
	const known = stretchedPasses.find(({at}) => at >= instant)?.at ?? nextPass;
	const before = stretchedPasses.findLast(({at}) => at < instant)?.until ?? beginningOfTime;
	const pass = known - Math.floor((known - Math.max(instant, before)) / period) * period;
	return pass - before < period ? pass + period : pass;
}

/** When a pass ends, and judges the zones. */
export const endOfPass = ({stretchedPasses = []}: PassSchedule, pass: Instant): Instant =>
	stretchedPasses.find(({at}) => at === pass)?.until ?? pass;

/** The last pass before the next one; undefined if the running controllers have made none yet. */
export function lastPass({
	nextPass,
	period,
	firstPass,
	stretchedPasses = [],
}: PassSchedule): Instant | undefined {
	const stretched = stretchedPasses.at(-1);
	const last = stretched && nextPass - stretched.until < 2 * period ? stretched.at : nextPass - period;
	return last >= firstPass ? last : undefined;
}

/** The number of passes from the next one to the one that is in progress at an instant. */
export function passesBefore(instant: Instant, {nextPass, period}: PassSchedule): number {
	return Math.max(0, Math.floor((instant - nextPass) / period));
}

/** When the pass begins that comes this many passes after the next one. */
export function passAfter(passes: number, {nextPass, period}: PassSchedule): Instant {
	return nextPass + passes * period;
}
