import {inTimeZone} from '../../dates/format.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type Line, type StyledText, span} from '../theme/line.ts';
import {clip, clipMiddle, padLeft, padTo, widthOf} from '../theme/text.ts';
import type {CellContext, TableColumn} from '../views/table.ts';

// biome-ignore lint/suspicious/noExplicitAny: the rows of whatever table
type AnyColumn = TableColumn<any>;
type PlacedColumn = {readonly column: AnyColumn; readonly width: number};

const gap = 2;

/** Rows below these have no say in the widths: there may be many thousands. */
const sample = 500;

/** The longest cell of each column by its rows, which stay the same for as long as a forecast does. */
const longest = new WeakMap<readonly unknown[], Map<AnyColumn, number>>();

function naturalWidth(column: AnyColumn, rows: readonly unknown[]): number {
	const title = widthOf(column.title) + (column.sortKey ? 1 : 0);
	if (column.width !== undefined) return Math.max(column.width, widthOf(column.title));
	const known = longest.get(rows) ?? new Map<AnyColumn, number>();
	longest.set(rows, known);
	let widest = known.get(column);
	if (widest === undefined) {
		widest = 0;
		const {measure} = column;
		if (measure) for (const row of rows.slice(0, sample)) widest = Math.max(widest, measure(row).length);
		known.set(column, widest);
	}
	return Math.max(column.least ?? 0, title, Math.min(column.most ?? Number.POSITIVE_INFINITY, widest));
}

/**
 * Gives each column its width. Where there is too little room, wide ones are narrowed to what they need at least, and
 * then those are left out that can best be done without.
 */
export function placeColumns(
	columns: readonly AnyColumn[],
	rows: readonly unknown[],
	room: number,
): readonly PlacedColumn[] {
	let kept = columns.map((column) => {
		const natural = naturalWidth(column, rows);
		return {
			column,
			natural,
			least: column.width === undefined ? Math.min(natural, column.least ?? natural) : natural,
		};
	});
	const total = (key: 'natural' | 'least') =>
		kept.reduce((sum, one) => sum + one[key], 0) + Math.max(0, kept.length - 1) * gap;
	while (kept.length > 1 && total('least') > room) {
		const worst = Math.max(...kept.map(({column}) => column.drop));
		if (worst === 0) break;
		kept = kept.filter(({column}) => column.drop !== worst);
	}
	// What can best be done without gives first.
	let excess = total('natural') - room;
	const widths = new Map(kept.map(({column, natural}) => [column, natural]));
	for (const {column, natural, least} of kept.toSorted((a, b) => b.column.drop - a.column.drop)) {
		const given = Math.max(0, Math.min(natural - least, excess));
		widths.set(column, natural - given);
		excess -= given;
	}
	return kept.map(({column}) => ({column, width: widths.get(column) ?? 0}));
}

/** The line of titles, with a sign at the one that sorts. */
export function headerLine(
	placed: readonly PlacedColumn[],
	sort: {readonly title: string; readonly isReversed: boolean} | undefined,
	glyphs: Glyphs,
): readonly StyledText[] {
	return withGaps(
		placed.map(({column: {title, isRight, isMostFirst = false}, width}) => {
			const isSorting = sort?.title === title && title !== '';
			const isDescending = sort?.isReversed !== isMostFirst;
			const sign = isSorting ? (isDescending ? glyphs.descending : glyphs.ascending) : '';
			const text = `${title}${sign}`;
			return span(isRight ? padLeft(text, width, glyphs.cut) : padTo(text, width, glyphs.cut), 'heading');
		}),
	);
}

/** The cells of one row. */
export function rowSpans(
	placed: readonly PlacedColumn[],
	row: unknown,
	context: CellContext,
): readonly StyledText[] {
	const {cut} = context.glyphs;
	return withGaps(
		placed.map(({column, width}) => {
			const {text: written, tone} = column.cell(row, context, width);
			const whole = inTimeZone(written, context.now, context.timeZone);
			const text = column.brief && widthOf(whole) > width ? column.brief(row, context) : whole;
			const clipped = column.isName ? clipMiddle(text, width, cut) : clip(text, width, cut);
			return span(column.isRight ? padLeft(clipped, width, cut) : padTo(clipped, width, cut), tone);
		}),
	);
}

const withGaps = (spans: readonly StyledText[]): readonly StyledText[] =>
	spans.flatMap((one, index) => (index === 0 ? [one] : [span(' '.repeat(gap)), one]));

/** A line of cells. */
export const cellLine = (spans: readonly StyledText[], isSelected: boolean): Line => ({spans, isSelected});
