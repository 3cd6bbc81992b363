import {maxOf} from '../../core/collections/extremes.ts';
import {isBlank} from '../../print/tables/kind.ts';
import type {Glyphs} from '../theme/glyphs.ts';
import {type StyledText, span} from '../theme/line.ts';
import {clipMiddle, padTo, widthOf} from '../theme/text.ts';
import {type DrawContext, type DrawnColumn, spanOf, textOf, titleOf} from '../views/table.ts';

// biome-ignore lint/suspicious/noExplicitAny: the rows of whatever table
type AnyColumn = DrawnColumn<any>;
type PlacedColumn = {
	readonly column: AnyColumn;
	readonly width: number;
	/** Whether all cells have their short form, as one of them does not fit. */
	readonly isBrief: boolean;
};

const gap = 2;

/** Only this many rows decide the column widths, because there may be many thousands. */
const sample = 500;

type MeasuredColumn = {
	readonly column: AnyColumn;
	/** The width of its longest cell; 0 if its width is fixed. */
	readonly longest: number;
	readonly isEmpty: boolean;
};

/** The widths that the columns' rows need; they stay the same for one forecast. */
export function measureColumns(
	columns: readonly AnyColumn[],
	rows: readonly unknown[],
	context: DrawContext,
): readonly MeasuredColumn[] {
	const some = rows.slice(0, sample);
	return columns.map((column) => {
		const {width, sign} = column.drawn;
		const text = (row: unknown) => textOf(column, row, context, 0);
		const lengths = width === undefined ? some.map((row) => text(row).length + (sign?.(row) ? 2 : 0)) : [];
		return {column, longest: maxOf(lengths, 0), isEmpty: some.every((row) => isBlank(text(row)))};
	});
}

const dropOf = ({drop = 0}: AnyColumn) => drop;

/** The width that a column has if there is room, and how much of it no cell needs. */
function naturalWidth({column, longest}: MeasuredColumn): {readonly natural: number; readonly spare: number} {
	const {width, least = 0, most = Number.POSITIVE_INFINITY, sortKey, briefTitle} = column.drawn;
	const title = widthOf(titleOf(column));
	if (width !== undefined) return {natural: Math.max(width, title), spare: 0};
	const needed = Math.max(title + (sortKey ? 1 : 0), Math.min(most, longest));
	const natural = Math.max(least, needed);
	return {natural, spare: briefTitle === undefined ? natural - needed : 0};
}

/** The share of the width that one name column may take before other columns are dropped for it. */
const nameShare = 0.45;

/**
 * Gives each column its width. If there is too little room, empty columns are dropped first, then columns by their `drop`.
 * What no cell needs is given up before any cell is cut; names are narrowed last, and no column below its minimum.
 */
export function placeColumns(measured: readonly MeasuredColumn[], room: number): readonly PlacedColumn[] {
	let kept = measured.map((one) => {
		const {column, isEmpty} = one;
		const {natural, spare} = naturalWidth(one);
		const needed = natural - spare;
		const {width, least: smallest = needed, isName} = column.drawn;
		const least = width === undefined ? Math.min(needed, smallest) : natural;
		const wanted = isName ? Math.max(least, Math.min(needed, Math.floor(room * nameShare))) : least;
		return {column, isEmpty, longest: one.longest, natural, spare, needed, least, wanted};
	});
	const total = (key: 'natural' | 'needed' | 'wanted' | 'least') =>
		kept.reduce((sum, one) => sum + one[key], 0) + Math.max(0, kept.length - 1) * gap;
	const empty = kept.filter(({isEmpty, column}) => isEmpty && dropOf(column) > 0);
	for (const one of empty.toSorted((a, b) => dropOf(b.column) - dropOf(a.column)))
		if (total('needed') > room) kept = kept.filter((other) => other !== one);
	// Important columns are dropped only if there is no room for them even with names at their minimum.
	for (const key of ['wanted', 'least'] as const) {
		while (kept.length > 1 && total(key) > room) {
			const worst = maxOf(kept.map(({column}) => dropOf(column)));
			if (worst === 0 || (key === 'wanted' && worst <= important)) break;
			const first = kept.find(({column}) => dropOf(column) === worst);
			kept = kept.filter((one) => one !== first);
		}
	}
	let excess = total('natural') - room;
	const widths = new Map(kept.map(({column, natural}) => [column, natural]));
	const give = (column: AnyColumn, most: number) => {
		const given = Math.max(0, Math.min(most, excess));
		widths.set(column, (widths.get(column) ?? 0) - given);
		excess -= given;
	};
	for (const {column, spare} of kept) give(column, spare);
	// A title that has a shorter one, before anything in a row is cut.
	const rank = ({drawn: {isName, briefTitle}}: AnyColumn) => (isName ? 1 : briefTitle === undefined ? 0 : -1);
	const givesFirst = kept.toSorted(
		(a, b) => rank(a.column) - rank(b.column) || dropOf(b.column) - dropOf(a.column),
	);
	for (const {column, least} of givesFirst) give(column, (widths.get(column) ?? 0) - least);
	return kept.map(({column, longest}) => {
		const width = widths.get(column) ?? 0;
		return {column, width, isBrief: longest > width};
	});
}

/** Columns with a `drop` up to this are kept as long as narrowing the names is enough. */
const important = 1;

/** The header line, with a sign at the sort column. */
export function headerLine(
	placed: readonly PlacedColumn[],
	sort: {readonly title: string; readonly isReversed: boolean} | undefined,
	glyphs: Glyphs,
): readonly StyledText[] {
	return withGaps(
		placed.map(({column, width}) => {
			const {briefTitle, isRight, isMostFirst = false} = column.drawn;
			const title = titleOf(column);
			const isSorting = sort?.title === title && title !== '';
			const isDescending = sort?.isReversed !== isMostFirst;
			const sign = isSorting ? (isDescending ? glyphs.descending : glyphs.ascending) : '';
			const text = `${briefTitle !== undefined && widthOf(title) + sign.length > width ? briefTitle : title}${sign}`;
			return span(padTo(text, width, glyphs.cut, isRight), 'heading');
		}),
	);
}

export function rowSpans(
	placed: readonly PlacedColumn[],
	row: unknown,
	context: DrawContext,
): readonly StyledText[] {
	const {cut} = context.glyphs;
	return withGaps(
		placed.map(({column, width, isBrief}) => {
			const {text, tone} = spanOf(column, row, context, width, isBrief);
			const {isName, isRight} = column.drawn;
			return span(padTo(isName ? clipMiddle(text, width, cut) : text, width, cut, isRight), tone);
		}),
	);
}

const withGaps = (spans: readonly StyledText[]) =>
	spans.flatMap((one, index) => (index === 0 ? [one] : [span(' '.repeat(gap)), one]));

/** The widths of a row's segments, which alternate between columns that change over time and others. */
export function stretchesOf(
	placed: readonly PlacedColumn[],
	before: number,
	room: number,
): readonly number[] {
	const widths: number[] = [];
	let [present, left, isTimed] = [before, room, placed[0]?.column.drawn.isTimed ?? false];
	for (const {column, width} of placed) {
		if ((column.drawn.isTimed ?? false) !== isTimed) {
			const width = Math.min(present, left);
			widths.push(width);
			left -= width;
			[present, isTimed] = [0, !isTimed];
		}
		present += width + gap;
	}
	return [...widths, left].filter((width) => width > 0);
}
