import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import {escapeForCell} from '../../text/escape.ts';
import {fittingColumns} from './fit.ts';
import type {Column} from './kind.ts';
import {lengthOf, TabWriter} from './tabWriter.ts';

/** How much a table shows. */
export type TableOptions = {
	readonly isWide: boolean;
	readonly showHeaders: boolean;
	/** In which times are shown; UTC where absent. */
	readonly timeZone?: TimeZone;
	/** Of the terminal that shows it; all columns are whole where it is absent, as in a pipe. */
	readonly width?: number | undefined;
};

/** A table that grows row by row: headers come once, before the first row. */
export class Table<Item> {
	#columns: readonly Column<Item>[];
	/** For which its columns are yet to be chosen. */
	#width: number | undefined;
	readonly #writer = new TabWriter();
	readonly #timeZone: TimeZone;
	#headersAreDue: boolean;

	constructor(
		{columns}: {readonly columns: readonly Column<Item>[]},
		{isWide, showHeaders, timeZone = utc, width}: TableOptions,
	) {
		this.#columns = columns.filter((column) => isWide || !column.isWide);
		this.#headersAreDue = showHeaders;
		this.#timeZone = timeZone;
		this.#width = isWide ? undefined : width;
	}

	/** The titles of columns for which its terminal has no room; known once it has rows. */
	leftOut: readonly string[] = [];

	/** The lines of items; no lines, not even headers, for no items. */
	rows(items: readonly Item[], now: Instant): string {
		this.#fit(items, now);
		return this.#write(
			items.map((item) => this.#columns.map(({cell}) => cell(item, now))),
			now,
		);
	}

	/** The lines for items that are gone. */
	goneRows(items: readonly Item[], now: Instant): string {
		this.#fit(items, now);
		return this.#write(
			items.map((item) => this.#columns.map(({cell, whenGone}) => whenGone ?? cell(item, now))),
			now,
		);
	}

	/** Chooses the columns by the first rows: later ones stand below them. */
	#fit(items: readonly Item[], now: Instant): void {
		const width = this.#width;
		if (width === undefined || items.length === 0) return;
		this.#width = undefined;
		const all = this.#columns;
		const longestOf = (columns: readonly Column<Item>[]) =>
			new Map(
				columns.map((column) => [
					column,
					items.reduce(
						(most, item) => Math.max(most, lengthOf(this.#shown(column.cell(item, now), now))),
						lengthOf(column.title),
					),
				]),
			);
		if (fittingColumns(all, longestOf(all), width).length === all.length) return;
		const short = all.map((column) => (column.brief ? {...column, cell: column.brief} : column));
		this.#columns = fittingColumns(short, longestOf(short), width);
		const kept = new Set(this.#columns.map(({title}) => title));
		this.leftOut = all.flatMap(({title}) => (kept.has(title) ? [] : title));
	}

	#shown(text: string, now: Instant): string {
		return escapeForCell(inTimeZone(text, now, this.#timeZone));
	}

	#write(rows: readonly (readonly string[])[], now: Instant): string {
		if (rows.length === 0) return '';
		const headers = this.#headersAreDue ? [this.#columns.map(({title}) => title)] : [];
		this.#headersAreDue = false;
		return this.#writer.write([...headers, ...rows.map((row) => row.map((text) => this.#shown(text, now)))]);
	}
}
