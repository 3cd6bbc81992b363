import {ascending} from '../../core/collections/ascending.ts';
import {maxOf} from '../../core/collections/extremes.ts';
import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import {utc} from '../../dates/timeZone.ts';
import {linked} from '../../forecast/words.ts';
import {escapeForCell} from '../../text/escape.ts';
import type {AnswerOptions} from '../answerPage.ts';
import {type CellContext, type Column, inTable, isBlank} from './kind.ts';
import {lengthOf, lineWidth, TabWriter} from './tabWriter.ts';

/** How much a table shows. */
export type TableOptions = AnswerOptions &
	Readonly<{
		isWide: boolean;
		showHeaders: boolean;
		/** The width of the terminal; if absent, as in a pipe, all columns are shown in full. */
		width?: number | undefined;
		/** Where a table is wider, each item is a record instead: its name, and below it its values by their titles. */
		recordWidth?: number | undefined;
	}>;

/** The ranks of columns that are shown if there is room beside all others, and of those without any value. */
const [optionalRank, lastRank] = [50, 100];

/** The default columns, in full, with times in UTC. */
export const plainTable: TableOptions = {isWide: false, showHeaders: true};

/** The same with sentences that the reader wraps. */
export const unwrapped: TableOptions = {...plainTable, textWidth: Number.POSITIVE_INFINITY};

/**
 * A table that grows row by row, with as many of its columns as fit the terminal. Headers precede the first row, and are
 * repeated if longer rows change which columns fit.
 */
export class Table<Item> {
	readonly #options: TableOptions;
	readonly #whole: readonly Column<Item>[];
	/** The same columns with their short texts, if they have them. */
	readonly #brief: readonly Column<Item>[];
	/** The longest text of each column so far. */
	readonly #longest = new Map<Column<Item>, number>();
	/** The titles of columns that had a value so far. */
	readonly #withValues = new Set<string>();
	#columns: readonly Column<Item>[] = [];
	#writer = new TabWriter();

	constructor({columns}: {readonly columns: readonly Column<Item>[]}, options: TableOptions) {
		this.#options = options;
		const hasRoom = options.width !== undefined;
		this.#whole = columns.filter(({isWide}) => options.isWide || !isWide || (isWide === 'ifRoom' && hasRoom));
		this.#brief = this.#whole.map((column) => (column.brief ? {...column, cell: column.brief} : column));
	}

	/** The lines of items; empty for no items, even without headers. */
	rows(items: readonly Item[], now: Instant): string {
		return this.#write(items, now, false);
	}

	/** The lines for items that are gone. */
	goneRows(items: readonly Item[], now: Instant): string {
		return this.#write(items, now, true);
	}

	#write(items: readonly Item[], now: Instant, areGone: boolean): string {
		if (items.length === 0) return '';
		const context = inTable(now);
		const columns = this.#fitting(items, context);
		const before = this.#columns;
		const isNew = columns.length !== before.length || columns.some((one, index) => one !== before[index]);
		if (isNew) {
			this.#columns = columns;
			this.#writer = new TabWriter();
		}
		const headers = isNew && this.#options.showHeaders ? [columns.map(({title}) => title)] : [];
		const textOf = (item: Item, {cell, whenGone}: Column<Item>) =>
			(areGone ? whenGone : undefined) ?? cell(item, context);
		const rows = items.map((item) => columns.map((column) => this.#shown(textOf(item, column), now)));
		const {recordWidth} = this.#options;
		const widthOf = ({title}: Column<Item>, index: number) =>
			maxOf([title, ...rows.map((row) => row[index] ?? '')].map(lengthOf));
		if (recordWidth !== undefined && lineWidth(columns.map(widthOf)) > recordWidth)
			return rows.map((row) => recordOf(columns, row)).join('');
		return this.#writer.write([...headers, ...rows]) + (isNew ? this.#leftOutText() : '');
	}

	/** The columns that fit, considering all earlier rows as well. */
	#fitting(items: readonly Item[], context: CellContext): readonly Column<Item>[] {
		const {isWide, width} = this.#options;
		if (isWide || width === undefined) return this.#whole;
		for (const {title, cell} of this.#whole)
			if (items.some((item) => !isBlank(cell(item, context)))) this.#withValues.add(title);
		for (const column of new Set([...this.#whole, ...this.#brief])) {
			const longest = items.reduce(
				(most, item) => Math.max(most, lengthOf(this.#shown(column.cell(item, context), context.now))),
				this.#longest.get(column) ?? lengthOf(column.title),
			);
			this.#longest.set(column, longest);
		}
		const whole = this.#inRoom(this.#whole, width);
		const isWhole = this.#whole.every((column) => column.isWide || whole.includes(column));
		return isWhole ? whole : this.#inRoom(this.#brief, width);
	}

	/** Keeps the order of columns; those without any value are dropped first. Names are never truncated, because users copy them into other commands. */
	#inRoom(columns: readonly Column<Item>[], width: number): readonly Column<Item>[] {
		const rank = ({title, drop = 0, isWide}: Column<Item>) =>
			isWide ? optionalRank : this.#withValues.has(title) ? drop : lastRank;
		let kept = columns.filter((column) => rank(column) === 0);
		const wanted = columns.filter(({isWide, title}) => !isWide || this.#withValues.has(title));
		for (const column of wanted.toSorted(ascending(rank))) {
			const more = columns.filter((one) => one === column || kept.includes(one));
			if (lineWidth(more.map((one) => this.#longest.get(one) ?? 0)) <= width) kept = more;
		}
		return kept;
	}

	#leftOutText(): string {
		const kept = new Set(this.#columns.map(({title}) => title));
		const titles = this.#whole.flatMap(({title, isWide}) => (isWide || kept.has(title) ? [] : title));
		return titles.length === 0 ? '' : `No room for ${titles.join(', ')}: -o wide shows all columns.\n`;
	}

	#shown(text: string, now: Instant): string {
		return escapeForCell(inTimeZone(text, now, this.#options.timeZone ?? utc));
	}
}

function recordOf(columns: readonly {readonly title: string}[], cells: readonly string[]): string {
	const named = columns[0]?.title === 'NAMESPACE' ? 2 : 0;
	const values = cells.map((cell, index) => (isBlank(cell) ? '' : `${columns[index]?.title} ${cell}`));
	const [first = '', ...rest] =
		named > 0 ? [cells.slice(0, named).join('/'), ...values.slice(named)] : values;
	return `${first}\n  ${linked('   ', ...rest)}\n`;
}
