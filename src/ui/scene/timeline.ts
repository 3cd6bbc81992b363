import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Certainty} from './certainty.ts';
import type {RangeGroup} from './digest.ts';

/** The number of pods evicted within one time slice. A pod with a long range counts as a fraction in each slice. */
export type Bucket = Readonly<Record<Certainty, number>>;

export type Timeline = {
	readonly buckets: readonly Bucket[];
	readonly width: Duration;
	/** The highest number in one bucket. */
	readonly peak: number;
};

/** How far ahead the timeline reaches. */
const timelineReach: Duration = 10 * minute;

const widths: readonly Duration[] = [5, 10, 15, 20, 30, 60].map((seconds) => seconds * second);

/** Counts the pods evicted in the next ten minutes, in as many buckets of a round width as fit. */
export function timelineOf(groups: readonly RangeGroup[], now: Instant, room: number): Timeline {
	const width = widths.find((candidate) => timelineReach / candidate <= room) ?? minute;
	const buckets = Array.from({length: timelineReach / width}, () => ({certain: 0, likely: 0, possible: 0}));
	for (const {range, certainty, count} of groups) {
		const from = Math.max(now, range.earliest);
		const to = Math.max(from, range.latest ?? now + timelineReach);
		const [first, last] = [Math.floor((from - now) / width), Math.floor((to - now) / width)];
		for (let index = first; index <= Math.min(last, buckets.length - 1); index += 1) {
			const bucket = buckets[index];
			if (bucket) bucket[certainty] += count * shareOf(from - now, to - now, index * width, width);
		}
	}
	const peak = Math.max(0, ...buckets.map(({certain, likely, possible}) => certain + likely + possible));
	return {buckets, width, peak};
}

/** The share of a range in a bucket; all of it if the range has no length. */
function shareOf(from: Duration, to: Duration, start: Duration, width: Duration): number {
	if (to === from) return 1;
	return (Math.min(to, start + width) - Math.max(from, start)) / (to - from);
}
