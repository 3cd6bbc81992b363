import {beginningOfTime, type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import type {Interval} from '../../observe/interval.ts';

/** A stretch of time in which a zone's count stayed the same. */
type Stretch = {
	readonly since: Instant;
	readonly size: number;
	readonly notReady: number;
	/** Whether any node of the whole cluster counted as ready. */
	readonly anyReady: boolean;
	/** What started it. */
	readonly reason: 'unknown' | 'other';
};

/** How long the counts of a zone are kept. */
const memory: Duration = 10 * minute;
/** Shorter than any period: a pass changes several nodes in a row. */
const withinPass: Duration = 0.9 * second;

export class ZoneTrack {
	#stretches: Stretch[] = [];
	/** The most nodes it ever had. */
	largestSize = 0;
	/** Its last taint that was let through by the limiter. */
	lastTaint: Interval | undefined;
	/** Whether no pass was writing when that came. */
	wasQuiet = false;
	/** When a node that may have waited came back or was deleted, and took a token with it. */
	lastLoss: Instant = beginningOfTime;

	/** Takes in the zone's counts from an instant on. */
	count(stretch: Stretch): void {
		this.largestSize = Math.max(this.largestSize, stretch.size);
		const last = this.#stretches.at(-1);
		if (
			last?.size === stretch.size &&
			last.notReady === stretch.notReady &&
			last.anyReady === stretch.anyReady
		) {
			return;
		}
		this.#stretches.push(stretch);
		while ((this.#stretches[1]?.since ?? stretch.since) < stretch.since - memory) this.#stretches.shift();
	}

	/** Whether the zone was normal, or completely down, at the end of each pass since an instant. */
	isAtFullRateSince(from: Instant): boolean {
		return this.#since(from).every(({size, notReady, anyReady, since}, index, all) => {
			if (anyReady && (notReady <= 2 || notReady === size)) return true;
			const next = all[index + 1];
			return next !== undefined && next.since - since < withinPass && next.reason === 'unknown';
		});
	}

	/** Whether nothing changed in the zone since an instant. */
	isUnchangedSince(from: Instant): boolean {
		const stretches = this.#since(from);
		return stretches.length === 1 && (stretches[0]?.since ?? from) <= from;
	}

	/** The stretches since an instant, if the zone was partly down in all of them, with at least three nodes not ready. */
	partialSince(from: Instant): readonly Stretch[] | undefined {
		const stretches = this.#since(from);
		if ((stretches[0]?.since ?? from) > from) return undefined;
		const isPartial = ({size, notReady, anyReady}: Stretch) => anyReady && notReady > 2 && notReady < size;
		return stretches.length > 0 && stretches.every(isPartial) ? stretches : undefined;
	}

	/** Since when the zone has been partly down; undefined if it is not. */
	get partialFrom(): Instant | undefined {
		let from: Instant | undefined;
		for (const {since, size, notReady, anyReady} of this.#stretches.toReversed()) {
			if (!anyReady || notReady <= 2 || notReady === size) break;
			from = since;
		}
		return from;
	}

	#since(from: Instant): readonly Stretch[] {
		const first = this.#stretches.findLastIndex(({since}) => since <= from);
		return this.#stretches.slice(Math.max(0, first));
	}
}
