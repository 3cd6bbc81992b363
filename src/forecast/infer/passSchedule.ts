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
	/** The passes that writes stretched, in order; each delayed all later passes. */
	readonly stretchedPasses?: readonly StretchedPass[];
};

/** When a pass began, and when it ended in this hypothesis. The next pass begins a period after the end. */
export type StretchedPass = {readonly at: Instant; readonly until: Instant};

/** Passes of which only the period is known. */
export const unknownSchedule = (now: Instant, period: Duration): PassSchedule => ({
	...{nextPass: now, period, idlePeriod: period},
	firstPass: beginningOfTime,
});

/** The first pass at or after an instant, if no passes but the known ones were stretched. */
export function passAtOrAfter(schedule: PassSchedule, instant: Instant): Instant {
	const pass = nearestFrom(schedule, instant);
	return pass >= schedule.firstPass ? pass : nearestFrom(schedule, schedule.firstPass);
}

/** More than sums of times are off, and less than any time matters. */
export const rounding: Duration = 0.01;

function nearestFrom({nextPass, period, stretchedPasses = []}: PassSchedule, instant: Instant): Instant {
	const anchor = stretchedPasses.find(({at}) => at >= instant)?.at ?? nextPass;
	const previousEnd = stretchedPasses.findLast(({at}) => at < instant)?.until ?? beginningOfTime;
	const from = Math.max(instant, previousEnd + period - rounding);
	return anchor - Math.floor((anchor - from) / period) * period;
}

/** The stretched pass that lasts at an instant, if any. */
export const stretchedAt = ({stretchedPasses}: PassSchedule, instant: Instant): StretchedPass | undefined =>
	stretchedPasses?.find(({at, until}) => at <= instant && instant <= until);

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
	const last =
		stretched && nextPass - stretched.until < 2 * period - rounding ? stretched.at : nextPass - period;
	return last >= firstPass ? last : undefined;
}

/** How many whole periods after the next pass an instant lies. */
export function passesBefore(instant: Instant, {nextPass, period}: PassSchedule): number {
	return Math.max(0, Math.floor((instant - nextPass) / period));
}

/** When the pass begins that comes this many passes after the next one. */
export function passAfter(passes: number, {nextPass, period}: PassSchedule): Instant {
	return nextPass + passes * period;
}
