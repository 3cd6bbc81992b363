import {beginningOfTime, type Duration, type Instant} from '../../core/time/instant.ts';
import {at, intersect} from '../observe/interval.ts';
import type {PassPhase} from './passPhase.ts';
import type {StretchedPass} from './passSchedule.ts';

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
	for (const [index, {began: seen, extraWork, lastWrite}] of [...stretchedPasses.entries()].toReversed()) {
		const periods = Math.max(1, Math.floor((before - at(seen, 0.5)) / period));
		const latest = before - periods * period;
		// It was too soon before the next one: nothing is known of it, nor of earlier ones.
		if (seen.lo > before - period) break;
		// A pass between them may have been stretched unseen.
		const begins = intersect(seen, {lo: latest - extraWork, hi: latest}) ?? seen;
		const least = (stretchedPasses[index - 1]?.lastWrite.lo ?? beginningOfTime) + period;
		const pass = Math.min(Math.max(at(begins, quantile), least), before - period);
		const until = Math.max(pass, Math.min(at(lastWrite, quantile), before - period));
		found.unshift({at: pass, until});
		before = pass;
	}
	return found;
}
