import {escapeForCell} from '../../text/escape.ts';
import {lengthOf, lineWidth, textTable} from './tabWriter.ts';

/** A column by how well it can be done without: the lowest gets room first; one without a figure stays. */
export type Fitting = {readonly title: string; readonly drop?: number};

/**
 * Which columns a terminal has room for, in their order. Names are never cut: they are copied into other commands.
 *
 * @param longest of each column, its title included
 */
export function fittingColumns<One extends Fitting>(
	columns: readonly One[],
	longest: ReadonlyMap<One, number>,
	width: number,
): readonly One[] {
	let kept = columns.filter(({drop}) => drop === undefined);
	for (const column of columns.toSorted((a, b) => (a.drop ?? 0) - (b.drop ?? 0))) {
		const more = columns.filter((one) => one === column || kept.includes(one));
		if (lineWidth(more.map((one) => longest.get(one) ?? 0)) <= width) kept = more;
	}
	return kept;
}

/** Rows of a table that is written at once, with as many of its columns as a terminal has room for; all without a width. */
export function fittingTable(
	columns: readonly Fitting[],
	rows: readonly (readonly string[])[],
	{showHeaders = true, width}: {readonly showHeaders?: boolean; readonly width?: number | undefined} = {},
): string {
	const longest = new Map(
		columns.map((one, index) => [
			one,
			rows.reduce(
				(most, row) => Math.max(most, lengthOf(escapeForCell(row[index] ?? ''))),
				lengthOf(one.title),
			),
		]),
	);
	const kept = new Set(fittingColumns(columns, longest, width ?? Number.POSITIVE_INFINITY));
	const ofKept = (cells: readonly string[]) =>
		cells.filter((_, index) => {
			const column = columns[index];
			return column !== undefined && kept.has(column);
		});
	return textTable(ofKept(columns.map(({title}) => title)), rows.map(ofKept), showHeaders);
}

/** What is said of columns that are left out; empty where none is. */
export const leftOutText = (titles: readonly string[]): string =>
	titles.length === 0
		? ''
		: `Not shown for lack of room: ${titles.join(', ')}; -o wide, or a pipe, shows all columns.\n`;
