import type {Provenance} from '../../core/model/observation.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../core/time/instant.ts';

/** A time in which not every change was seen. */
export type ObservationGap = {readonly from: Instant; readonly to: Instant};

/** A watch is confirmed every few seconds. A longer pause is an observation gap. */
const longestUnconfirmed: Duration = 10 * second;
const mostGaps = 100;

/**
 * Keeps the times in which the cluster was observed. A missing renewal counts only in these: while nothing arrives at all,
 * the API server or the connection is silent, not the nodes.
 */
export class ObservedTime {
	#begunAt: Instant | undefined;
	#heardAt: Instant = beginningOfTime;
	/** Whether the watch is confirmed from time to time: then an unconfirmed silence proves nothing. */
	#isConfirmed = false;
	#unseenSince: Instant | undefined;
	#shownUntil: Instant = never;
	#gaps: readonly ObservationGap[] = [];

	/** Takes in how and when a batch was seen. Returns the gap that it ends. */
	observe(arrivedAt: Instant, provenance?: Provenance): ObservationGap | undefined {
		const before = this.#heardAt;
		this.#begunAt ??= arrivedAt;
		if (provenance?.type === 'watchLost' && provenance.since !== undefined) {
			this.#unseenSince = provenance.since;
			return undefined;
		}
		this.#isConfirmed ||= provenance?.type === 'confirmed';
		this.#heardAt = Math.max(before, arrivedAt);
		const lostSince = this.#unseenSince;
		if (provenance?.type === 'watchLost') this.#unseenSince = undefined;
		if (this.#unseenSince !== undefined) return undefined;
		const isPause = this.#isConfirmed && Number.isFinite(before) && arrivedAt - before > longestUnconfirmed;
		const from = lostSince ?? (isPause ? before : undefined);
		if (from === undefined || from >= arrivedAt) return undefined;
		const gap = {from, to: arrivedAt};
		this.#gaps = [...this.#gaps, gap].slice(-mostGaps);
		return gap;
	}

	/** Since when some collection is not watched; undefined if all are. */
	get unseenSince(): Instant | undefined {
		return this.#unseenSince;
	}

	/** Whether some collection was not watched since then. */
	isGapSince(from: Instant) {
		return this.#unseenSince !== undefined || this.#gaps.some(({to}) => to >= from);
	}

	/** Takes in the newest write that the first look showed: until then the API server took writes. */
	shown(until: Instant) {
		this.#shownUntil = until;
	}

	/** The last instant up to which everything was seen. */
	at(now: Instant): Instant {
		const heardUntil = this.#isConfirmed ? this.#heardAt : now;
		return Math.min(now, this.#unseenSince ?? now, heardUntil);
	}

	/** How much of a period was observed. Time before the first look counts up to the newest write that it showed. */
	between(from: Instant, to: Instant): Duration {
		const begunAt = this.#begunAt ?? to;
		const before = Math.max(0, Math.min(begunAt, this.#shownUntil, to) - from);
		const [lo, hi] = [Math.max(begunAt, from), this.at(to)];
		const unseen = this.#gaps.map((gap) => Math.max(0, Math.min(gap.to, hi) - Math.max(gap.from, lo)));
		return before + Math.max(0, hi - lo) - unseen.reduce((sum, one) => sum + one, 0);
	}
}

/** The earliest time at which changes that arrive now may have happened. */
export function earliestOf(provenance: Provenance | undefined, arrivedAt: Instant): Instant {
	switch (provenance?.type) {
		case 'firstLook':
			return beginningOfTime;
		case 'late':
		case 'delayed':
		case 'historyLost':
			return provenance.since;
		default:
			return arrivedAt;
	}
}

/** Since when data that is read now may have waited: this program may have been delayed. */
export const readSince = (provenance: Provenance | undefined, arrivedAt: Instant): Instant =>
	provenance?.type === 'delayed' ? provenance.since : arrivedAt;
