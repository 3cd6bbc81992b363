import {formatCost} from '../scene/cost.ts';
import {actions, type KeyAction, specOf} from '../state/keyTable.ts';
import {screenOf} from '../state/uiState.ts';
import {beside, blank, type Line, line, lineWidth, span, textLine} from '../theme/line.ts';
import {wrapText} from '../theme/text.ts';
import {tables, viewNames} from '../views/tables.ts';
import type {View} from '../views/view.ts';
import {isUsable} from './footer.ts';

const keyWidth = 14;

/** Every key that does something here, from the one table, with the letters that sort. */
export function helpLines(view: View): readonly Line[] {
	const blocks = groups.map((group) => block(view, group)).filter((lines) => lines.length > 1);
	const {columns, rows} = view.size;
	// Air between the groups only where there are lines for it.
	const air = columns >= 120 || rows >= 60 ? [blank] : [];
	const all = [
		...blocks.flatMap((lines) => [...lines, ...air]),
		...sortLines(view),
		...air,
		...signLines(view),
		...costLines(view),
	];
	if (all.length <= rows - 4 || columns < 120) return all;
	const half = Math.ceil(all.length / 2);
	const cut = all.findIndex((one, index) => index >= half && one === blank);
	const at = cut < 0 ? half : cut;
	return beside(all.slice(0, at), all.slice(at + 1), Math.floor(columns / 2), span(' '), view.glyphs.cut);
}

const groups = ['Move', 'Look', 'Views', 'Do', 'Time', 'Demo'] as const;

function block(view: View, group: (typeof groups)[number]): readonly Line[] {
	const isListed = (action: KeyAction) => !viewNames.some((name) => name === action);
	const chosen = actions.filter(
		(action) => specOf(action).group === group && isUsable(action, view) && isListed(action),
	);
	const entries = chosen.map((action): Line => {
		const keys = view.bindings[action].join(' ').padEnd(keyWidth);
		return line(span(`  ${keys}`, 'key'), span(` ${specOf(action).help}`));
	});
	const rows = paired(entries, Math.min(view.size.columns, widest) / 2);
	return [textLine(` ${group}`, 'heading'), ...(group === 'Views' ? viewLines(view) : []), ...rows];
}

/** Short entries stand two in a row. */
function paired(entries: readonly Line[], half: number): readonly Line[] {
	const rows: Line[] = [];
	for (let at = 0; at < entries.length; at += 1) {
		const [one = blank, other] = entries.slice(at, at + 2);
		const isPair = other !== undefined && lineWidth(one) < half && lineWidth(other) < half;
		rows.push(isPair ? line(...one.spans, span(' '.repeat(half - lineWidth(one))), ...other.spans) : one);
		if (isPair) at += 1;
	}
	return rows;
}

const widest = 80;

/** The views with their keys, in as few lines as they need: each for itself would take a third of a small screen. */
function viewLines({bindings}: View): readonly Line[] {
	const named = viewNames.map((name) => `${bindings[name][0] ?? ''} ${name}`);
	return wrapText(named.map((one) => one.replaceAll(' ', '\u00a0')).join('   '), 74).map((text) =>
		textLine(`  ${text.replaceAll('\u00a0', ' ')}`, 'key'),
	);
}

function sortLines({state}: View): readonly Line[] {
	const {columns} = tables[screenOf(state).view];
	const sorting = columns.filter(({sortKey}) => sortKey !== undefined);
	return [
		textLine(' Sort; the same letter again turns the order round', 'heading'),
		line(
			span(' '),
			...sorting.flatMap(({sortKey = '', sortWord, title}) => [
				span(` ${sortKey}`, 'key'),
				span(` ${sortWord ?? title.toLowerCase()} `),
			]),
		),
	];
}

function costLines({scene: {cost}}: View): readonly Line[] {
	if (!cost) return [];
	const text = `  ${formatCost(cost)} so far`;
	return [blank, textLine(' What this asks of the API server', 'heading'), line(span(text))];
}

function signLines({glyphs}: View): readonly Line[] {
	const {certainty, fill, held, stays, terminating} = glyphs;
	return [
		textLine(' Signs', 'heading'),
		line(
			span(`  ${certainty.certain} ${fill.certain}`, 'certain'),
			span(' certain: its countdown runs; the second sign is that of the timeline'),
		),
		line(
			span(`  ${certainty.likely} ${fill.likely}`, 'likely'),
			span(' likely: it follows if nothing changes'),
		),
		line(
			span(`  ${certainty.possible} ${fill.possible}`, 'possible'),
			span(' possible: in some states that agree with what is seen'),
		),
		line(span(`  ${held}  `, 'held'), span(' held, not safe: evicted once evictions resume')),
		line(span(`  ${stays}  `, 'dim'), span(' stays: nothing evicts it, though its node is in trouble')),
		line(span(`  ${terminating}  `, 'dim'), span(' already being deleted')),
	];
}
