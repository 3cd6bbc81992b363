import {outcomes, podVerdicts} from '../../print/legend.ts';
import type {Tone} from '../../print/tables/kind.ts';
import {formatCost} from '../scene/scene.ts';
import {actions, type KeyAction, specOf} from '../state/keyTable.ts';
import {
	blank,
	fitLine,
	hanging,
	type Line,
	line,
	type StyledText,
	span,
	textLine,
	widthOfSpans,
} from '../theme/line.ts';
import {wrapPhrases} from '../theme/text.ts';
import {titleOf} from '../views/table.ts';
import {viewNames} from '../views/tables.ts';
import {isUsable} from './footer.ts';
import type {View} from './view.ts';

const keyWidth = 14;

/** The help: every usable key, from the key table, and the letters that sort. */
export function helpLines(view: View): readonly Line[] {
	const {columns, rows} = view.size;
	const all = linesOf(view, columns);
	if (all.length <= rows - 4 || columns < 120) return all;
	const width = Math.floor(columns / 2) - 1;
	const narrow = linesOf(view, width);
	const taller = (at: number) => Math.max(at, narrow.length - at - 1);
	// Splits between two groups, so that both halves are as short as possible.
	const at = narrow.reduce(
		(best, one, index) => (one === blank && taller(index) < taller(best) ? index : best),
		narrow.length,
	);
	return Array.from({length: Math.max(at, narrow.length - at - 1)}, (_, index) => {
		const left = fitLine((index < at && narrow[index]) || blank, width, view.glyphs.cut);
		return line(...left.spans, span('  '), ...(narrow[at + 1 + index]?.spans ?? []));
	});
}

function linesOf(view: View, width: number): readonly Line[] {
	const {columns, rows} = view.size;
	const blocks = groups.map((group) => block(view, group, width)).filter((lines) => lines.length > 1);
	// Blank lines between groups only if there is room.
	const air = columns >= 120 || rows >= 60 ? [blank] : [];
	return [
		...blocks.flatMap((lines) => [...lines, ...air]),
		...sortLines(view, width),
		...air,
		...signLines(view, width),
		...thenLines(view, width, air),
		...costLines(view),
	];
}

const groups = ['Move', 'Look', 'Views', 'Do', 'Time'] as const;

function block(view: View, group: (typeof groups)[number], width: number): readonly Line[] {
	const isListed = (action: KeyAction) => !viewNames.some((name) => name === action);
	const chosen = actions.filter(
		(action) => specOf(action).group === group && isUsable(action, view) && isListed(action),
	);
	const entries = chosen.map((action) => {
		const keys = specOf(action).keys.join(' ').padEnd(keyWidth);
		return hanging(span(`  ${keys} `, 'key'), specOf(action).help, width);
	});
	const rows = paired(entries, Math.min(width, widest) / 2);
	return [textLine(` ${group}`, 'heading'), ...(group === 'Views' ? viewLines(width) : []), ...rows];
}

/** Puts two short entries in one row. */
function paired(entries: readonly (readonly Line[])[], half: number): readonly Line[] {
	const rows: Line[] = [];
	const isShort = (lines: readonly Line[] = []) =>
		lines.length === 1 && widthOfSpans(lines[0]?.spans ?? []) < half;
	for (let at = 0; at < entries.length; at += 1) {
		const [one = [], other] = entries.slice(at, at + 2);
		const [left = blank, right = blank] = [one[0], other?.[0]];
		const isPair = isShort(one) && isShort(other);
		if (isPair)
			rows.push(line(...left.spans, span(' '.repeat(half - widthOfSpans(left.spans))), ...right.spans));
		else rows.push(...one);
		if (isPair) at += 1;
	}
	return rows;
}

const widest = 80;

/** The views with their keys, in few lines: one line each would take a third of a small screen. */
function viewLines(width: number): readonly Line[] {
	const named = viewNames.map((name) => `${specOf(name).keys[0]} ${name}`);
	return wrapPhrases(named, Math.min(74, width - 2)).map((part) => textLine(`  ${part}`, 'key'));
}

function sortLines({shown}: View, width: number): readonly Line[] {
	const columns = shown?.table.columns ?? [];
	if (columns.length === 0) return [];
	const rows: StyledText[][] = [[span('Sort (again: reversed)', 'heading')]];
	for (const column of columns) {
		const {sortKey, sortWord = titleOf(column).toLowerCase()} = column.drawn;
		if (sortKey === undefined) continue;
		const entry = [span(` ${sortKey}`, 'key'), span(` ${sortWord} `)];
		const row = rows.at(-1) ?? [];
		if (widthOfSpans([...row, ...entry]) < width - 1) row.push(...entry);
		else rows.push([span(' '), ...entry]);
	}
	return rows.map((row) => line(span(' '), ...row));
}

function costLines({scene: {cost}}: View): readonly Line[] {
	if (!cost) return [];
	const text = `  ${formatCost(cost)} so far`;
	return [textLine(' What this asks of the API server', 'heading'), textLine(text)];
}

function signLines({glyphs}: View, width: number): readonly Line[] {
	const {certainty, fill, held, stays, terminating} = glyphs;
	const certain = 'certain (Scheduled, Overdue): its countdown runs';
	const possible = 'possible (Unsure): in some states that agree with what is seen';
	const signs: readonly (readonly [sign: string, tone: Tone, meaning: string])[] = [
		[`${certainty.certain} ${fill.certain}`, 'certain', certain],
		[`${certainty.likely} ${fill.likely}`, 'likely', 'likely (Expected): it follows if nothing changes'],
		[`${certainty.possible} ${fill.possible}`, 'possible', possible],
		[`${held}  `, 'held', 'Held, not safe: evicted once evictions resume'],
		[`${stays}  `, 'dim', `Stays: ${podVerdicts.Stays}`],
		[`${terminating}  `, 'dim', 'Terminating: already deleted'],
		['4:05+', 'strong', 'in 4:05 (minutes:seconds) or later: nothing bounds how late'],
	];
	return [
		textLine(' Signs of rows and of the timeline, with their verdicts', 'heading'),
		...signs.flatMap(([sign, tone, meaning]) => hanging(span(`  ${sign} `, tone), meaning, width)),
	];
}

function thenLines({shown}: View, width: number, air: readonly Line[]): readonly Line[] {
	if (!shown?.table.columns.some(({title}) => title === 'THEN')) return [];
	return [
		...air,
		textLine(' Then, what follows of its deletion', 'heading'),
		...(['Replaced', 'Blocked', 'StuckTerminating', 'Lost'] as const).flatMap((word) =>
			hanging(span(`  ${word.padEnd(16)} `, 'strong'), outcomes[word], width),
		),
	];
}
