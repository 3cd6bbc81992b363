import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';
import {at, type Interval, intersect} from '../observe/interval.ts';
import {type PassPhase, stretchedFrom} from './passPhase.ts';

/** One possible sequence of monitor passes. */
export type PassSchedule = Readonly<{
	nextPass: Instant;
	/** From one pass to the next, if it has nothing to write. */
	period: Duration;
	/** The same without the reads of silent nodes' leases, which a machine makes itself. */
	idlePeriod: Duration;
	/** The first pass of the running controllers. */
	firstPass: Instant;
	/** The passes that writes stretched, in order; each delayed all later passes. */
	stretchedPasses?: readonly StretchedPass[];
}>;

/** When a pass began, and when it ended in this hypothesis. The next pass begins a period after the end. */
export type StretchedPass = {
	readonly at: Instant;
	readonly until: Instant;
	/** When it may have begun, if that is not known: then the passes before it came as much earlier or later. */
	readonly mayBegin?: Interval;
};

/** Passes of which only the period is known. */
export const unknownSchedule = (now: Instant, period: Duration): PassSchedule => ({
	nextPass: now,
	period,
	idlePeriod: period,
	firstPass: beginningOfTime,
});

/** The first pass at or after an instant, if no passes but the known ones were stretched. */
export function passAtOrAfter(schedule: PassSchedule, instant: Instant): Instant {
	const pass = nearestFrom(schedule, instant);
	return pass >= schedule.firstPass ? pass : nearestFrom(schedule, schedule.firstPass);
}

/** More than sums of times are off, and less than any time matters. */
export const rounding: Duration = 0.01;

function nearestFrom(schedule: PassSchedule, instant: Instant): Instant {
	const {nextPass, period, stretchedPasses = []} = schedule;
	const anchor = stretchedPasses.find(({at}) => at >= instant)?.at ?? nextPass;
	return anchor - Math.floor((anchor - soonestFrom(schedule, instant)) / period) * period;
}

/** The soonest that a pass may begin at or after an instant: a period after the stretched one before. */
function soonestFrom({period, stretchedPasses = []}: PassSchedule, instant: Instant): Instant {
	const previousEnd = stretchedPasses.findLast(({at}) => at < instant)?.until ?? beginningOfTime;
	return Math.max(instant, previousEnd + period - rounding);
}

/** The earliest that a pass may begin at or after an instant: those before a stretched one may have come later than in the schedule. */
export function earliestPass(schedule: PassSchedule, instant: Instant): Instant {
	const {period, firstPass, stretchedPasses = []} = schedule;
	const pass = passAtOrAfter(schedule, instant);
	const stretched = stretchedPasses.find(({at, mayBegin}) => (mayBegin?.hi ?? at) >= instant);
	if (!stretched?.mayBegin) return pass;
	const {at, mayBegin} = stretched;
	if (at < instant) return instant;
	const soonest = Math.max(firstPass, soonestFrom(schedule, instant));
	return soonest <= pass - period + mayBegin.hi - at ? soonest : pass;
}

/** The stretched pass that lasts at an instant, if any. */
export const stretchedAt = ({stretchedPasses}: PassSchedule, instant: Instant): StretchedPass | undefined =>
	stretchedPasses?.find(({at, until}) => at <= instant && instant <= until);

/** The earliest time at or after an instant at which a pass may look at a node: in a stretched pass, its turn may come at any time. */
export const earliestLook = (schedule: PassSchedule, instant: Instant): Instant =>
	stretchedAt(schedule, instant) ? instant : earliestPass(schedule, instant);

/** The latest that a pass sees a change: those before a stretched one may have come earlier than in the schedule, and too early for it. */
export function latestLook(schedule: PassSchedule, change: Instant): Instant {
	const {period, stretchedPasses = []} = schedule;
	const pass = passAtOrAfter(schedule, change);
	const stretched = stretchedPasses.find(({at}) => at >= change);
	const {at, mayBegin = {lo: at}} = stretched ?? {at: pass};
	if (pass - (at - mayBegin.lo) >= change) return endOfPass(schedule, pass);
	const next = passAtOrAfter(schedule, pass + period / 2);
	return next < at ? change + period : endOfPass(schedule, next);
}

/** The pass that begins at an instant, if it was stretched. */
export const stretchedPassOf = ({stretchedPasses}: PassSchedule, pass: Instant): StretchedPass | undefined =>
	stretchedPasses?.find(({at}) => at === pass);

/** When a pass ends, and judges the zones. */
export const endOfPass = (schedule: PassSchedule, pass: Instant): Instant =>
	stretchedPassOf(schedule, pass)?.until ?? pass;

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

/**
 * The stretched passes, counted back from a hypothesis's next pass: between the starts of two passes lies a whole
 * number of periods, plus up to `extraWork` for the writes. That bounds when a stretched pass began; its observations
 * narrow the bounds.
 *
 * @param quantile of the other unknowns: at 0 each stretched pass began as early as possible and ended with the last write
 *   that was seen; at 1 it began as late as possible and lasted as long as it may have written
 */
export function stretchedPassesBefore(
	nextPass: Instant,
	period: Duration,
	stretchedPasses: PassPhase['stretchedPasses'],
	quantile: number,
): readonly StretchedPass[] {
	const found: StretchedPass[] = [];
	let before = nextPass;
	for (const [index, stretched] of [...stretchedPasses.entries()].toReversed()) {
		const {began: seen, extraWork, lastWrite} = stretched;
		const periods = Math.max(1, Math.floor((before - at(seen, 0.5)) / period));
		const latest = before - periods * period;
		// It was too soon before the next one: nothing is known of it, nor of earlier ones.
		if (seen.lo > before - period) break;
		// A pass between them may have been stretched unseen.
		const begins = intersect(seen, {lo: latest - extraWork, hi: latest}) ?? seen;
		const previous = stretchedPasses[index - 1];
		const least = previous
			? previous.lastWrite.lo + periodsBetween(previous, begins, period) * period
			: beginningOfTime;
		const possible = (begin: Instant) => Math.min(Math.max(begin, least), before - period);
		const mayBegin = {lo: possible(begins.lo), hi: possible(begins.hi)};
		const pass = at(mayBegin, quantile);
		const latestEnd = before - periodsBetween(stretched, {lo: before, hi: before}, period) * period;
		const until = Math.max(pass, Math.min(at(lastWrite, quantile), latestEnd));
		found.unshift({at: pass, until, mayBegin});
		before = pass;
	}
	return found;
}

/** The fewest periods from the end of a stretched pass to the start of another, if those between took no longer unseen. */
function periodsBetween(
	{began, extraWork, lastWrite}: PassPhase['stretchedPasses'][number],
	start: Interval,
	period: Duration,
): number {
	const latestEnd = Math.max(lastWrite.hi, began.hi + extraWork) + stretchedFrom;
	const fewest = Math.ceil((start.lo - latestEnd) / period);
	return Math.max(1, Math.min(fewest, Math.floor((start.hi - lastWrite.lo + rounding) / period)));
}
