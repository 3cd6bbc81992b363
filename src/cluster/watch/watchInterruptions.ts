import type {Problem} from '../../core/model/problem.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {clockTime} from '../../dates/utc.ts';

/** The gap that every reconnection leaves is not worth a word. */
const worthSaying: Duration = 2 * second;
/** How long a gap that is over is shown. What it hides has shown itself by then. */
const shownFor: Duration = 5 * minute;

/** When something of a cluster was not watched: forecasts know less of that time, and that is said. */
export class WatchInterruptions {
	readonly #lost = new Map<number, Instant>();
	#last: {readonly from: Instant; readonly to: Instant} | undefined;

	/** Since when nothing is seen of some collection; undefined while all are watched. */
	get lostSince(): Instant | undefined {
		return this.#lost.size === 0 ? undefined : Math.min(...this.#lost.values());
	}

	/** Notes that a collection is lost, or seen again, and tells whether that changes since when all is seen. */
	lost(collection: number, since: Instant | undefined): boolean {
		const before = this.lostSince;
		if (since === undefined) this.#lost.delete(collection);
		else if (!this.#lost.has(collection)) this.#lost.set(collection, since);
		return this.lostSince !== before;
	}

	/** Notes that a collection was not watched for a time that is over. */
	missed(from: Instant, to: Instant): void {
		if (to - from < worthSaying) return;
		// The same gap, as another collection shows it.
		if (this.#last && from <= this.#last.to) return;
		this.#last = {from, to};
	}

	problemsAt(now: Instant): readonly Problem[] {
		const since = this.lostSince;
		const present: readonly Problem[] =
			since === undefined || now - since < worthSaying
				? []
				: [interrupted(since, 'forecasts are as of then')];
		const {from, to} = this.#last ?? {from: 0, to: beginningOfTime};
		if (now - to > shownFor) return present;
		const message = `not watched from ${clockTime(from)} to ${clockTime(to)}: the exact times of what happened then are not known, and ranges are wider`;
		return [...present, {reason: 'WatchGap', message}];
	}
}

/** The problem of not seeing the cluster any more. @param consequence what follows, or why it is so */
export const interrupted = (since: Instant, consequence: string): Problem => ({
	reason: 'WatchInterrupted',
	message: `not all is seen of the cluster since ${clockTime(since)}: ${consequence}`,
});
