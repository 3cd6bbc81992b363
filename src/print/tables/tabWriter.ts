import {escapeForCell} from '../../text/escape.ts';

const minimumWidth = 6;
const padding = 3;

/**
 * Lays out rows in columns as kubectl does. Column widths are kept between calls, so that the rows of a watch stay aligned
 * with their headers; the last column is not padded.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/cli-runtime/pkg/printers/tabwriter.go GetNewTabWriter
 */
export class TabWriter {
	#widths: readonly number[] = [];

	write(rows: readonly (readonly string[])[]): string {
		this.#widths = rows.reduce(widen, this.#widths);
		return rows.map((row) => `${row.map(this.#padded).join('')}\n`).join('');
	}

	readonly #padded = (cell: string, index: number, row: readonly string[]) =>
		index === row.length - 1 ? cell : cell + ' '.repeat((this.#widths[index] ?? 0) - lengthOf(cell));
}

/** The length of a line whose cells have these lengths. */
export const lineWidth = (longest: readonly number[]) =>
	longest.reduce(
		(sum, length, index) =>
			sum + (index === longest.length - 1 ? length : Math.max(minimumWidth, length + padding)),
		0,
	);

/** A table whose rows are all known; empty if there are none. */
export const textTable = (
	headers: readonly string[],
	rows: readonly (readonly string[])[],
	showHeaders: boolean,
) =>
	rows.length === 0
		? ''
		: new TabWriter().write([
				...(showHeaders ? [headers] : []),
				...rows.map((row) => row.map(escapeForCell)),
			]);

// The last column has no width, because nothing follows it.
function widen(widths: readonly number[], row: readonly string[]): readonly number[] {
	return row
		.slice(0, -1)
		.map((cell, index) => Math.max(minimumWidth, widths[index] ?? 0, lengthOf(cell) + padding));
}

// Counts code points, as Go does.
export const lengthOf = (text: string) => [...text].length;
