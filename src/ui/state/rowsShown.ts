import {compareNames} from '../../core/collections/compareNames.ts';
import {parseLabelSelector} from '../../core/selector/labelSelector.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import {messageOf} from '../../text/userError.ts';
import {podsOf, type Subject} from '../scene/questions.ts';
import {type AnyTable, type DrawContext, titleOf} from '../views/table.ts';
import type {CursorPlace} from './uiState.ts';

/** The visible rows of a table, and the cursor's place in them. */
export type RowsShown = Readonly<{
	table: AnyTable;
	rows: readonly unknown[];
	/** How many rows pass the filter; rows in folds count individually. */
	passed: number;
	/** How many there are without the filter. */
	all: number;
	/** The index of the row under the cursor; -1 if there is none. */
	index: number;
	complaint: string | undefined;
}>;

export type RowsAsked = Readonly<{
	table: AnyTable;
	context: DrawContext;
	place: CursorPlace;
	namespace: string | undefined;
	/** The node or the zone whose pods alone are wanted. */
	of?: Subject | undefined;
	/** The keys of open folds. */
	unfolded: ReadonlySet<string>;
}>;

export function selectRows({
	table,
	context,
	place,
	namespace,
	of,
	unfolded,
}: RowsAsked): Omit<RowsShown, 'index'> {
	const {namespaceOf, columns} = table;
	const all = table.rows(context);
	const rows = of ? podsOf(of, {pods: all as readonly PodForecast[]}) : all;
	const {passes, complaint} = filterOf(place.filter, table);
	const isShown = (row: unknown) =>
		(namespace === undefined || !namespaceOf || namespaceOf(row) === namespace) && passes(row);
	const filtered = place.filter === '' && namespace === undefined ? rows : rows.filter(isShown);
	const {sort} = place;
	const column = columns.find((one) => titleOf(one) === sort?.title);
	const byText = (a: unknown, b: unknown) =>
		column ? compareNames(column.cell(a, context), column.cell(b, context)) : 0;
	const sorted = column ? filtered.toSorted(column.drawn.compare ?? byText) : filtered;
	const folded = sort || !table.fold ? sorted : table.fold(sorted, unfolded, context.forecast);
	return {
		table,
		rows: sort?.isReversed ? folded.toReversed() : folded,
		passed: filtered.length,
		all: rows.length,
		complaint,
	};
}

/** A filter, with a message if it could not be parsed as intended. */
type RowFilter<Row> = {readonly passes: (row: Row) => boolean; readonly complaint?: string | undefined};

/** Parses a filter as k9s does: a pattern, `!` to invert it, `-l app=cart`. An invalid pattern is matched literally. */
export function filterOf(
	text: string,
	table: AnyTable,
	// biome-ignore lint/suspicious/noExplicitAny: the rows of whatever table
): RowFilter<any> {
	const wanted = text.trim();
	if (wanted === '' || wanted === '!') return {passes: () => true};
	if (/^-l\b/.test(wanted)) return byLabels(wanted.slice(2).trim(), table);
	const isNegated = wanted.startsWith('!');
	const {matches, complaint} = patternOf(isNegated ? wanted.slice(1).trim() : wanted);
	return {passes: (row) => matches(table.textOf(row)) !== isNegated, complaint};
}

// biome-ignore lint/suspicious/noExplicitAny: the rows of whatever table
function byLabels(selector: string, {labelsOf}: Pick<AnyTable, 'labelsOf'>): RowFilter<any> {
	if (!labelsOf) return {passes: () => true, complaint: 'these rows have no labels'};
	try {
		const matches = parseLabelSelector(selector);
		return {passes: (row) => matches(labelsOf(row))};
	} catch (error) {
		return {passes: () => true, complaint: messageOf(error)};
	}
}

function patternOf(source: string) {
	try {
		const pattern = new RegExp(source, 'i');
		return {matches: (text: string) => pattern.test(text), complaint: undefined};
	} catch {
		const literal = source.toLowerCase();
		return {
			matches: (text: string) => text.toLowerCase().includes(literal),
			complaint: 'invalid regex, matched literally',
		};
	}
}
