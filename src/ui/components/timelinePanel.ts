import {maxOf} from '../../core/collections/extremes.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {type Certainty, certainties} from '../../forecast/certainty.ts';
import {calmOf} from '../../print/whyNotYet.ts';
import type {RangeGroup} from '../scene/digest.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {blank, type Line, line, type StyledText, span, textLine, widthOfSpans} from '../theme/line.ts';
import type {View} from './view.ts';

const indent = 13;
const widest = 150;

/** The next ten minutes: how many pods are evicted when, by certainty. */
export function timelinePanel({scene, now, size, glyphs}: View, barHeight: number): readonly Line[] {
	const {forecast} = scene;
	if (!forecast) return [];
	const room = Math.min(size.columns - indent - 1, widest);
	const timeline = timelineOf(forecast.digest.pods.groups, now, room);
	const columnWidth = Math.max(1, Math.floor(room / timeline.buckets.length));
	const width = columnWidth * timeline.buckets.length;
	const bars =
		timeline.peak > 0
			? barRows(timeline, barHeight, columnWidth, glyphs)
			: [
					textLine(
						scene.reading ? 'pods are still being read' : calmWords[calmOf(forecast).evictions],
						'dim',
					),
					...Array.from({length: barHeight - 1}, () => blank),
				];
	const label = (index: number) =>
		index === 0
			? span(' NEXT 10 MIN'.padEnd(indent), 'heading')
			: span(
					(index === 1 && timeline.peak > 0 ? ` peak ${peakWords(timeline.peak)}` : '').padEnd(indent),
					'dim',
				);
	return [
		...bars.map((bar, index) => line(label(index), ...bar.spans)),
		line(span(' '.repeat(indent)), span(axis(width, (columnWidth * minute) / timeline.width), 'dim')),
		line(span(' '.repeat(indent)), ...legend(glyphs, `each column ${timeline.width / 1000}s`, width)),
	];
}

const peakWords = (peak: number) => (peak < 1 ? '<1' : String(Math.round(peak)));

/** The axis with `now` and the even minutes. */
function axis(width: number, perMinute: number): string {
	let text = 'now';
	for (const mark of [2, 4, 6, 8, 10]) {
		const label = `+${mark}m`;
		const at = Math.min(Math.round(mark * perMinute), width - label.length);
		if (at > text.length) text = text.padEnd(at) + label;
	}
	return text;
}

function legend(glyphs: Glyphs, scale: string, width: number): readonly StyledText[] {
	const keys = certainties.flatMap((certainty) => [
		span(glyphs.fill[certainty], certainty),
		span(` ${certainty}   `, 'dim'),
	]);
	const used = widthOfSpans(keys);
	return used + scale.length > width ? keys : [...keys, span(scale.padStart(width - used), 'dim')];
}

/** The columns of a timeline as rows, top row first. Certain evictions are at the bottom of each column. */
function barRows(
	{buckets, peak}: Timeline,
	height: number,
	columnWidth: number,
	glyphs: Glyphs,
): readonly Line[] {
	const columns = buckets.map((bucket) => cells(bucket, peak, height, glyphs));
	return Array.from({length: height}, (_, row) =>
		line(...columns.map((column) => repeated(column[height - 1 - row], columnWidth))),
	);
}

const repeated = (cell: StyledText | undefined, width: number) =>
	cell ? {...cell, text: cell.text.repeat(width)} : span(' '.repeat(width));

/** The cells of one column from the bottom, in proportion to the highest column, at least one. */
function cells(bucket: Bucket, peak: number, height: number, glyphs: Glyphs): readonly StyledText[] {
	const total = bucket.certain + bucket.likely + bucket.possible;
	if (total === 0 || peak === 0) return [];
	const filled = (total / peak) * height;
	return Array.from({length: Math.max(1, Math.ceil(filled - 0.01))}, (_, index) => {
		const certainty = certaintyAt(bucket, (Math.min(index + 0.5, filled - 0.01) / filled) * total);
		return span(glyphAt(filled - index, certainty, glyphs), certainty);
	});
}

function certaintyAt(bucket: Bucket, level: number): Certainty {
	let sum = 0;
	for (const certainty of certainties) {
		sum += bucket[certainty];
		if (level < sum) return certainty;
	}
	return 'possible';
}

// Only certain evictions can have a partial cell, because the shaded characters have no partial form.
function glyphAt(rest: number, certainty: Certainty, glyphs: Glyphs): string {
	if (certainty !== 'certain' || rest >= 1) return glyphs.fill[certainty];
	return glyphs.rise[Math.max(0, Math.ceil(rest * glyphs.rise.length) - 1)] ?? glyphs.fill.certain;
}

const calmWords = {
	none: 'no evictions expected in that time',
	possible: 'no eviction is certain in that time',
	unknown: 'no evictions known in that time',
} as const;

/** The number of pods evicted within one time slice. A pod with a long range counts as a fraction in each slice. */
type Bucket = Readonly<Record<Certainty, number>>;

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
	const peak = maxOf(
		buckets.map(({certain, likely, possible}) => certain + likely + possible),
		0,
	);
	return {buckets, width, peak};
}

/** The share of a range in a bucket; all of it if the range has no length. */
function shareOf(from: Duration, to: Duration, start: Duration, width: Duration): number {
	if (to === from) return 1;
	return (Math.min(to, start + width) - Math.max(from, start)) / (to - from);
}
