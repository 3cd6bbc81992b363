import {type Certainty, certainties} from '../scene/certainty.ts';
import type {Bucket, Timeline} from '../scene/timeline.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type Line, line, type StyledText, span} from '../theme/line.ts';

/** The columns of a timeline as so many rows, the uppermost first. Certain pods stand at the bottom of each column. */
export function barRows(
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

const repeated = (cell: StyledText | undefined, width: number): StyledText =>
	cell ? {...cell, text: cell.text.repeat(width)} : span(' '.repeat(width));

/** The cells of one column from the bottom: as many as its share of the highest column, and one at least. */
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

// Only what is certain can have a part of a cell: a shaded one has no parts.
function glyphAt(rest: number, certainty: Certainty, glyphs: Glyphs): string {
	if (certainty !== 'certain' || rest >= 1) return glyphs.fill[certainty];
	return glyphs.rise[Math.max(0, Math.ceil(rest * glyphs.rise.length) - 1)] ?? glyphs.fill.certain;
}
