import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import {escapeForCell} from '../../text/escape.ts';
import type {Column} from './kind.ts';
import {TabWriter} from './tabWriter.ts';

/** How much a table shows. */
export type TableOptions = {
	readonly isWide: boolean;
	readonly showHeaders: boolean;
	/** In which times are shown; UTC where absent. */
	readonly timeZone?: TimeZone;
};

/** A table that grows row by row: headers come once, before the first row. */
export class Table<Item> {
	readonly #columns: readonly Column<Item>[];
	readonly #writer = new TabWriter();
	readonly #timeZone: TimeZone;
	#headersAreDue: boolean;

	constructor(
		{columns}: {readonly columns: readonly Column<Item>[]},
		{isWide, showHeaders, timeZone = utc}: TableOptions,
	) {
		this.#columns = columns.filter((column) => isWide || !column.isWide);
		this.#headersAreDue = showHeaders;
		this.#timeZone = timeZone;
	}

	/** The lines of items; no lines, not even headers, for no items. */
	rows(items: readonly Item[], now: Instant): string {
		return this.#write(
			items.map((item) => this.#columns.map(({cell}) => cell(item, now))),
			now,
		);
	}

	/** The lines for items that are gone. */
	goneRows(items: readonly Item[], now: Instant): string {
		return this.#write(
			items.map((item) => this.#columns.map(({cell, whenGone}) => whenGone ?? cell(item, now))),
			now,
		);
	}

	#write(rows: readonly (readonly string[])[], now: Instant): string {
		if (rows.length === 0) return '';
		const headers = this.#headersAreDue ? [this.#columns.map(({title}) => title)] : [];
		this.#headersAreDue = false;
		const shown = (text: string) => escapeForCell(inTimeZone(text, now, this.#timeZone));
		return this.#writer.write([...headers, ...rows.map((row) => row.map(shown))]);
	}
}
