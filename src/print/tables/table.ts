import type {Instant} from '../../core/time/instant.ts';
import {escapeForCell} from '../../text/escape.ts';
import type {Column} from './column.ts';
import {TabWriter} from './tabWriter.ts';

/** How much a table shows. */
export type TableOptions = {readonly isWide: boolean; readonly showHeaders: boolean};

/** A table that may grow as things change: headers come once, before the first row. */
export class Table<Item> {
	readonly #columns: readonly Column<Item>[];
	readonly #writer = new TabWriter();
	#headersAreDue: boolean;

	constructor({columns}: {readonly columns: readonly Column<Item>[]}, {isWide, showHeaders}: TableOptions) {
		this.#columns = columns.filter((column) => isWide || !column.isWide);
		this.#headersAreDue = showHeaders;
	}

	/** The lines for some items; none for no items, not even the headers. */
	rows(items: readonly Item[], now: Instant): string {
		return this.#write(items.map((item) => this.#columns.map(({cell}) => cell(item, now))));
	}

	/** The lines for items that are gone. */
	goneRows(items: readonly Item[], now: Instant): string {
		return this.#write(
			items.map((item) => this.#columns.map(({cell, whenGone}) => whenGone ?? cell(item, now))),
		);
	}

	#write(rows: readonly (readonly string[])[]): string {
		if (rows.length === 0) return '';
		const headers = this.#headersAreDue ? [this.#columns.map(({title}) => title)] : [];
		this.#headersAreDue = false;
		return this.#writer.write([...headers, ...rows.map((row) => row.map(escapeForCell))]);
	}
}
