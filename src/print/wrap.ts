/** The assumed width of an unknown terminal. */
export const textWidth = 80;

/**
 * Wraps text at its spaces; the first line starts with `indent`, the others with `indent` and `hang`. A word that is too long
 * is not broken.
 */
export function wrap(text: string, indent: string, hang = '', width = textWidth): string {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
		const start = lines.length === 0 ? indent : indent + hang;
		const longer = line === '' ? start + word : `${line} ${word}`;
		if (line !== '' && [...longer].length > width) {
			lines.push(line);
			line = indent + hang + word;
		} else {
			line = longer;
		}
	}
	return `${[...lines, line].join('\n')}\n`;
}

const labelWidth = 15;
const margin = ' '.repeat(labelWidth);

/** A title with its text beside it, at the same margin for all titles; each line of the text is wrapped separately. */
export const labelled = (title: string, ...lines: readonly string[]): string =>
	labelledIn(textWidth, title, lines);

/** The same in a width. */
export const labelledIn = (width: number, title: string, lines: readonly string[]): string =>
	lines
		.map((line) => wrap(line, margin, '', width))
		.join('')
		.replace(margin, `${title}:`.padEnd(labelWidth));
