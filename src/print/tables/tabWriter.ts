import {escapeForCell} from '../../text/escape.ts';

const minimumWidth = 6;
const padding = 3;

/**
 * Lays out rows in columns as kubectl does. Widths are kept from call to call, so that the rows of a watch stay under their
 * headers; the last column is not padded.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/cli-runtime/pkg/printers/tabwriter.go GetNewTabWriter
 */
export class TabWriter {
	#widths: readonly number[] = [];

	write(rows: readonly (readonly string[])[]): string {
		this.#widths = rows.reduce(widen, this.#widths);
		return rows.map((row) => `${this.#line(row)}\n`).join('');
	}

	#line(row: readonly string[]): string {
		return row.map((cell, index) => (index === row.length - 1 ? cell : this.#padded(cell, index))).join('');
	}

	#padded(cell: string, index: number): string {
		return cell + ' '.repeat(Math.max(0, (this.#widths[index] ?? 0) - lengthOf(cell)));
	}
}

/** How long a line is whose cells are so long at the most. */
export const lineWidth = (longest: readonly number[]): number =>
	longest.reduce(
		(sum, length, index) =>
			sum + (index === longest.length - 1 ? length : Math.max(minimumWidth, length + padding)),
		0,
	);

/** A table whose rows are all there; empty where there are none. */
export const textTable = (
	headers: readonly string[],
	rows: readonly (readonly string[])[],
	showHeaders = true,
): string =>
	rows.length === 0
		? ''
		: new TabWriter().write([
				...(showHeaders ? [headers] : []),
				...rows.map((row) => row.map(escapeForCell)),
			]);

// The last column has no width, since nothing stands behind it.
function widen(widths: readonly number[], row: readonly string[]): readonly number[] {
	return row
		.slice(0, -1)
		.map((cell, index) => Math.max(minimumWidth, widths[index] ?? 0, lengthOf(cell) + padding));
}

// Go counts code points, too.
export const lengthOf = (text: string): number => [...text].length;
