import {timeOfDay} from '../../dates/format.ts';
import {headlineOf} from '../scene/headline.ts';
import {placeOf, screenOf} from '../state/uiState.ts';
import {spokenGlyphs} from '../theme/glyphs.ts';
import {type Line, textLine} from '../theme/line.ts';
import {cellContext, type DrawContext, spanOf, titleOf} from '../views/table.ts';
import {statusLines} from './footer.ts';
import {doNowLines, noticeLines} from './header.ts';
import {helpLines} from './helpScreen.ts';
import {topRow} from './lines.tsx';
import {choiceLines, detailLines} from './plan.ts';
import type {View} from './view.ts';

const mostRows = 12;

/** The screen for a screen reader: the headline, then each row with its cells' titles, from the cursor on. No graphics. */
export function readerLines(drawn: View): readonly Line[] {
	const view = {...drawn, glyphs: spokenGlyphs};
	const {scene, now, timeZone, state, shown} = view;
	const {forecast} = scene;
	if (!forecast) return [textLine('Reading the cluster.')];
	const wide = {...view, size: {columns: 1000, rows: 1000}};
	const name = screenOf(state).view;
	const head =
		name === 'menu'
			? [textLine(`${shown?.table.title}.`)]
			: [
					textLine(headlineOf(forecast, now, timeZone, scene.impacts?.risks ?? []).text),
					...doNowLines(wide),
					...noticeLines(view),
					textLine(`${name}, ${scene.title}, ${timeOfDay(now, timeZone)} ${timeZone}.`),
				];
	// In one column, as two would be read across.
	if (state.helpTop !== undefined) return helpLines({...view, size: {columns: 80, rows: 1000}});
	const said = [...head, ...statusLines(wide)];
	if (view.answer) return [...said, ...view.answer.map((text) => textLine(text))];
	const screen = screenOf(state);
	if (screen.kind === 'choice') return [...said, ...choiceLines(wide, screen)];
	if (screen.kind === 'detail') return [...said, ...detailLines(view, screen, 1000)];
	const {words} = forecast.digest.names;
	// Rows name nodes and zones without what all names have in common.
	const shared = words === '' ? [] : [textLine(`names of ${words}.`)];
	return [...said, ...shared, ...rowLines(wide, cellContext(view, forecast))];
}

function rowLines({shown, state}: View, context: DrawContext): readonly Line[] {
	if (!shown) return [];
	const {rows, table, index} = shown;
	if (rows.length === 0) return [textLine(table.empty(context))];
	const top = topRow(index, placeOf(state).offset, rows.length, mostRows);
	const others = rows.slice(top, top + mostRows).filter((_, at) => top + at !== index);
	const rowText = (row: unknown) =>
		table.columns
			.flatMap((column) => {
				const text = spanOf(column, row, context, 1000).text.trim();
				return column.title === '' || text === context.glyphs.none
					? []
					: `${titleOf(column).toLowerCase()} ${text}`.trim();
			})
			.join(', ');
	const at = rows[index];
	return [
		...(at === undefined ? [] : [textLine(`Row ${index + 1} of ${rows.length}: ${rowText(at)}.`)]),
		...others.map((row) => textLine(`${rowText(row)}.`)),
	];
}
