import {minute} from '../../core/time/instant.ts';
import {certainties} from '../scene/certainty.ts';
import {digestOf} from '../scene/digest.ts';
import {timelineOf} from '../scene/timeline.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {blank, type Line, line, type StyledText, span, textLine} from '../theme/line.ts';
import {widthOf} from '../theme/text.ts';
import type {View} from '../views/view.ts';
import {barRows} from './bars.ts';

const indent = 13;
const widest = 150;

/** The coming ten minutes: how many pods go when, by how sure that is. */
export function timelinePanel({scene, now, size, glyphs}: View, barHeight: number): readonly Line[] {
	const {forecast} = scene;
	if (!forecast) return [];
	const room = Math.min(size.columns - indent - 1, widest);
	const timeline = timelineOf(digestOf(forecast).groups, now, room);
	const columnWidth = Math.max(1, Math.floor(room / timeline.buckets.length));
	const width = columnWidth * timeline.buckets.length;
	const bars =
		timeline.peak > 0
			? barRows(timeline, barHeight, columnWidth, glyphs)
			: [
					textLine('no evictions expected in that time', 'dim'),
					...Array.from({length: barHeight - 1}, () => blank),
				];
	const label = (index: number): StyledText =>
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

const peakWords = (peak: number): string => (peak < 1 ? '<1' : String(Math.round(peak)));

/** `now` and the even minutes, where they belong. */
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
	const used = keys.reduce((sum, {text}) => sum + widthOf(text), 0);
	return used + scale.length > width ? keys : [...keys, span(scale.padStart(width - used), 'dim')];
}
