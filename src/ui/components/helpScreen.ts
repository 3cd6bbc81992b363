import {formatCost} from '../state/cost.ts';
import {actions, specOf} from '../state/keyTable.ts';
import {screenOf} from '../state/uiState.ts';
import {beside, blank, type Line, line, span, textLine} from '../theme/line.ts';
import {tables} from '../views/tables.ts';
import type {View} from '../views/view.ts';
import {isUsable} from './footer.ts';

const keyWidth = 14;

/** Every key that does something here, from the one table, with the letters that sort. */
export function helpLines(view: View): readonly Line[] {
	const blocks = groups.map((group) => block(view, group)).filter((lines) => lines.length > 1);
	const all = [
		...blocks.flatMap((lines) => [...lines, blank]),
		...sortLines(view),
		blank,
		...signLines(view),
		...costLines(view),
	];
	const {columns, rows} = view.size;
	if (all.length <= rows - 4 || columns < 120) return all;
	const half = Math.ceil(all.length / 2);
	const cut = all.findIndex((one, index) => index >= half && one === blank);
	const at = cut < 0 ? half : cut;
	return beside(all.slice(0, at), all.slice(at + 1), Math.floor(columns / 2), span(' '), view.glyphs.cut);
}

const groups = ['Move', 'Look', 'Views', 'Do', 'Time', 'Demo'] as const;

function block(view: View, group: (typeof groups)[number]): readonly Line[] {
	const chosen = actions.filter((action) => specOf(action).group === group && isUsable(action, view));
	const rows = chosen.map((action) =>
		line(
			span(`  ${view.bindings[action].join(' ').padEnd(keyWidth)}`, 'key'),
			span(` ${specOf(action).help}`),
		),
	);
	return [textLine(` ${group}`, 'heading'), ...rows];
}

function sortLines({state}: View): readonly Line[] {
	const {columns} = tables[screenOf(state).view];
	const sorting = columns.filter(({sortKey}) => sortKey !== undefined);
	return [
		textLine(' Sort; the same letter again turns the order round', 'heading'),
		...sorting.map(({sortKey = '', sortWord, title}) =>
			line(span(`  ${sortKey.padEnd(keyWidth)}`, 'key'), span(` by ${sortWord ?? title.toLowerCase()}`)),
		),
	];
}

function costLines({scene: {cost}}: View): readonly Line[] {
	if (!cost) return [];
	const text = `  ${formatCost(cost)} so far`;
	return [blank, textLine(' What this asks of the API server', 'heading'), line(span(text))];
}

function signLines({glyphs}: View): readonly Line[] {
	const {certainty, held, stays, terminating} = glyphs;
	return [
		textLine(' Signs', 'heading'),
		line(span(`  ${certainty.certain}`, 'certain'), span(' certain: its countdown runs')),
		line(span(`  ${certainty.likely}`, 'likely'), span(' likely: it follows if nothing changes')),
		line(
			span(`  ${certainty.possible}`, 'possible'),
			span(' possible: in some states that agree with what is seen'),
		),
		line(span(`  ${held}`, 'held'), span(' held, not safe: it goes once evictions go on')),
		line(span(`  ${stays}`, 'dim'), span(' stays: nothing evicts it, though its node is in trouble')),
		line(span(`  ${terminating}`, 'dim'), span(' its deletion was asked for already')),
	];
}
