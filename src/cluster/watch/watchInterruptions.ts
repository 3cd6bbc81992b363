import {minOf} from '../../core/collections/extremes.ts';
import type {Problem} from '../../core/model/problem.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {clockTime} from '../../dates/utc.ts';

/** Shorter gaps are not reported: every reconnection leaves one. */
const shortestReported: Duration = 2 * second;
/** How long a past gap is shown. Its effects have become visible by then. */
const shownFor: Duration = 5 * minute;

const undeliveredCause =
	'. Watches are open, but do not deliver the changes that lists show: perhaps a proxy holds them back, or etcd was restored';

/** Periods in which some collection was not watched: they are reported, and widen forecasts. */
export class WatchInterruptions {
	readonly #lost = new Map<number, Instant>();
	/** The lost collections whose watch is open, and does not deliver what a list shows. */
	readonly #undelivered = new Set<number>();
	#last: {readonly from: Instant; readonly to: Instant} | undefined;

	/** Since when some collection is lost; undefined while all are watched. */
	get lostSince(): Instant | undefined {
		return this.#lost.size === 0 ? undefined : minOf(this.#lost.values());
	}

	/** Notes that a collection is lost, or seen again. @returns whether `lostSince` changed */
	lost(collection: number, since: Instant | undefined): boolean {
		const before = this.lostSince;
		if (since === undefined) this.#lost.delete(collection);
		else if (!this.#lost.has(collection)) this.#lost.set(collection, since);
		return this.lostSince !== before;
	}

	/** Notes that an open watch does not deliver what a list shows, or does so again. */
	undelivered(collection: number, isUndelivered: boolean): void {
		if (isUndelivered) this.#undelivered.add(collection);
		else this.#undelivered.delete(collection);
	}

	/** Notes a past gap of a collection. */
	missed(from: Instant, to: Instant): void {
		if (to - from < shortestReported) return;
		// The same gap, reported by another collection.
		if (this.#last && from <= this.#last.to) return;
		this.#last = {from, to};
	}

	problemsAt(now: Instant): readonly Problem[] {
		const since = this.lostSince;
		const present: readonly Problem[] =
			since === undefined || now - since < shortestReported
				? []
				: [
						interrupted(
							since,
							`forecasts are as of then${this.#undelivered.size > 0 ? undeliveredCause : ''}`,
						),
					];
		const {from, to} = this.#last ?? {from: 0, to: beginningOfTime};
		if (now - to > shownFor) return present;
		const message = `not watched from ${clockTime(from)} to ${clockTime(to)}: the exact times of what happened then are not known, and ranges are wider`;
		return [...present, {reason: 'WatchGap', message}];
	}
}

/** The problem of an interrupted watch. @param consequence what follows, or the reason */
export const interrupted = (since: Instant, consequence: string): Problem => ({
	reason: 'WatchInterrupted',
	message: `watches have been interrupted since ${clockTime(since)}: ${consequence}`,
});
