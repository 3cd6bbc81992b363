import type {Sight} from '../../core/model/observation.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';

/** A time in which not all was seen. */
export type ObservationGap = {readonly from: Instant; readonly to: Instant};

/** Whoever confirms what it sees does so each few seconds. After so long a pause nobody listened. */
const longestPause: Duration = 10 * second;
/** Gaps are remembered as long as silences are judged, and more than so many never. */
const mostGaps = 100;

/**
 * Knows for which time the cluster was seen. That something was not heard counts for that time alone: silence while nothing
 * else was heard either is that of the API server, or of the way there.
 */
export class ObservedTime {
	#begunAt: Instant | undefined;
	#heardAt: Instant = Number.NEGATIVE_INFINITY;
	/** Whether whoever watches confirms what it sees, so that a silence that is not confirmed proves nothing. */
	#isConfirmed = false;
	#unseenSince: Instant | undefined;
	#shownUntil: Instant = Number.POSITIVE_INFINITY;
	#gaps: readonly ObservationGap[] = [];

	/** Takes in how a batch was seen, and when. Answers with the gap that is over by it. */
	observe(arrivedAt: Instant, sight?: Sight): ObservationGap | undefined {
		const before = this.#heardAt;
		this.#begunAt ??= arrivedAt;
		if (sight?.type === 'watchLost' && sight.since !== undefined) {
			this.#unseenSince = sight.since;
			return undefined;
		}
		this.#isConfirmed ||= sight?.type === 'confirmed';
		this.#heardAt = Math.max(before, arrivedAt);
		const lostSince = this.#unseenSince;
		if (sight?.type === 'watchLost') this.#unseenSince = undefined;
		if (this.#unseenSince !== undefined) return undefined;
		const isPause = this.#isConfirmed && Number.isFinite(before) && arrivedAt - before > longestPause;
		const from = lostSince ?? (isPause ? before : undefined);
		if (from === undefined || from >= arrivedAt) return undefined;
		const gap = {from, to: arrivedAt};
		this.#gaps = [...this.#gaps, gap].slice(-mostGaps);
		return gap;
	}

	/** Since when some collection is not seen; undefined while all are. */
	get unseenSince(): Instant | undefined {
		return this.#unseenSince;
	}

	/** Takes in the newest write that the first look showed, whoever made it: somebody could write until then. */
	shown(until: Instant): void {
		this.#shownUntil = until;
	}

	/** The last instant up to which all was seen, as of now. */
	at(now: Instant): Instant {
		const heardUntil = this.#isConfirmed ? this.#heardAt : now;
		return Math.min(now, this.#unseenSince ?? now, heardUntil);
	}

	/** For how long of a time it was seen what happened. What came before the first look shows by what was written then. */
	between(from: Instant, to: Instant): Duration {
		const begunAt = this.#begunAt ?? to;
		const before = Math.max(0, Math.min(begunAt, this.#shownUntil, to) - from);
		const [lo, hi] = [Math.max(begunAt, from), this.at(to)];
		const unseen = this.#gaps.map((gap) => Math.max(0, Math.min(gap.to, hi) - Math.max(gap.from, lo)));
		return before + Math.max(0, hi - lo) - unseen.reduce((sum, one) => sum + one, 0);
	}
}
