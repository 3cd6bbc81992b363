import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';
import {at, type Interval, intersect} from '../observe/interval.ts';
import {type PassPhase, stretchedFrom} from './passPhase.ts';
import {rounding, type StretchedPass} from './passSchedule.ts';

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
