import {escapeForCell} from '../../text/escape.ts';
import {TabWriter} from '../tables/tabWriter.ts';
import {goText} from './goText.ts';
import {type Finder, relaxedPath} from './relaxedPath.ts';
import {TemplateError} from './templateError.ts';

type CustomColumn = {readonly header: string; readonly find: Finder};

/**
 * Parses `NAME:.metadata.name,NODE:.node`.
 *
 * @throws TemplateError if it is invalid
 */
export function columnsOfSpec(spec: string): readonly CustomColumn[] {
	if (spec === '') throw new TemplateError('custom-columns format specified but no custom columns given');
	return spec.split(',').map((part) => {
		const colon = part.indexOf(':');
		if (colon < 0) {
			throw new TemplateError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
		}
		return {header: part.slice(0, colon), find: relaxedPath(part.slice(colon + 1)).find};
	});
}

/**
 * Parses a file of two lines: headers, and below them their paths.
 *
 * @throws TemplateError if it is invalid
 */
export function columnsOfFile(text: string): readonly CustomColumn[] {
	const [headers = [], paths = []] = text.split('\n').map((line) => line.trim().split(/\s+/).filter(Boolean));
	if (headers.length === 0 || paths.length === 0) {
		throw new TemplateError(
			'invalid template: expected one line of space separated headers, one line of space separated column specs',
		);
	}
	if (headers.length !== paths.length) {
		throw new TemplateError(
			`number of headers (${headers.length}) and field specifications (${paths.length}) don't match`,
		);
	}
	return headers.map((header, index) => ({header, find: relaxedPath(paths[index] ?? '').find}));
}

/** A table with columns chosen by the user; it may grow row by row. */
export class CustomColumns {
	readonly #columns: readonly CustomColumn[];
	readonly #writer = new TabWriter();
	#headersAreDue: boolean;

	constructor(columns: readonly CustomColumn[], showHeaders: boolean) {
		this.#columns = columns;
		this.#headersAreDue = showHeaders;
	}

	/** The lines for some items. The headers come before the first item, or alone if there is none. */
	rows(items: readonly unknown[]): string {
		const headers = this.#headersAreDue ? [this.#columns.map(({header}) => header)] : [];
		this.#headersAreDue = false;
		return this.#writer.write([
			...headers,
			...items.map((item) => this.#columns.map(({find}) => cell(find(item)))),
		]);
	}
}

const cell = (values: readonly unknown[]) =>
	values.length === 0 ? '<none>' : values.map((value) => escapeForCell(goText(value))).join(',');
