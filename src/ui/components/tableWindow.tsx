import {type ReactNode, useMemo} from 'react';
import {linked} from '../../forecast/words.ts';
import type {RowsShown} from '../state/rowsShown.ts';
import {placeOf} from '../state/uiState.ts';
import {blank, type Line, line, span, textLine} from '../theme/line.ts';
import {wrapText} from '../theme/text.ts';
import {cellContext, type DrawContext, type DrawnColumn, titleOf} from '../views/table.ts';
import {headerLine, measureColumns, placeColumns, rowSpans, stretchesOf} from './columns.ts';
import {Lines, Stretches, topRow} from './lines.tsx';
import {reasonsBelow, rowsIn} from './reasons.ts';
import type {View} from './view.ts';

type TableWindowProps = Readonly<{
	view: View;
	height: number;
	width: number;
	/** Whether the reasoning of the row under the cursor is shown below, if there is room. */
	hasReasons: boolean;
}>;

/** The part of a table that the screen has room for: its header, and the rows around the cursor. */
export function TableWindow({view, height, width, hasReasons}: TableWindowProps): ReactNode {
	const {state, scene, glyphs, shown} = view;
	const {forecast} = scene;
	const [columns, all] = [shown?.table.columns, shown?.rows];
	// biome-ignore lint/correctness/useExhaustiveDependencies: widths stay the same for one forecast
	const measured = useMemo(
		() => (columns && all && forecast ? measureColumns(columns, all, cellContext(view, forecast)) : []),
		[columns, all, forecast],
	);
	const drawn = (lines: readonly Line[], widths: readonly number[] = [width]) => (
		<>
			<Stretches lines={lines} widths={widths} />
			<Lines lines={hasReasons ? reasonsBelow(view, height - lines.length) : []} width={width} />
		</>
	);
	if (!shown || !forecast) return drawn([]);
	const {rows, index, table} = shown;
	const context = cellContext(view, forecast);
	if (rows.length === 0) return drawn(emptyWords(view, shown, context, width).slice(0, height));
	const place = placeOf(state);
	const placed = placeColumns(measured, width - gutter);
	const header = line(
		span(' '.repeat(gutter)),
		...headerLine(placed, place.sort ?? ownOrder(table.columns), glyphs),
	);
	const most = hasReasons ? rowsIn(view, height) : height - 1;
	const top = topRow(index, place.offset, rows.length, most);
	const room = width - gutter - (placed[0]?.width ?? 0) - 2;
	const shownRows = rows.slice(top, top + most).map((row, at) => {
		const isSelected = top + at === index;
		const isMarked = state.marks.has(table.keyOf(row));
		const sign = `${isSelected ? glyphs.cursor : ' '}${isMarked ? glyphs.mark : ' '}`;
		const across = table.across?.(row, context, room);
		const cells =
			across === undefined
				? rowSpans(placed, row, context)
				: [...rowSpans(placed.slice(0, 1), row, context), span(`  ${across}`)];
		return {spans: [span(sign, isMarked ? 'mark' : 'key'), ...cells], isSelected};
	});
	return drawn([header, ...shownRows], stretchesOf(placed, gutter, width));
}

const gutter = 2;

/** The default order of rows, if it is by a column: the time. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of whatever table
const ownOrder = ([first]: readonly DrawnColumn<any>[]) =>
	first?.drawn.sortKey === 'T' ? {title: titleOf(first), isReversed: false} : undefined;

function emptyWords(
	{state}: View,
	{all, table}: RowsShown,
	context: DrawContext,
	width: number,
): readonly Line[] {
	const {filter} = placeOf(state);
	const {namespace} = state;
	const hidden = linked(
		' and ',
		filter && `the filter ${filter}`,
		namespace === undefined ? '' : `the namespace ${namespace}`,
	);
	const words =
		all > 0 && hidden !== '' ? `None of ${all} rows is let through by ${hidden}. Press esc.` : undefined;
	const text = words ?? table.empty(context);
	return [blank, ...wrapText(text, width - gutter).map((one) => textLine(`  ${one}`, 'dim'))];
}
