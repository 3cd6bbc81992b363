/** The width of a terminal that does not say. */
export const textWidth = 80;

/**
 * Breaks text at its spaces into lines of a width, the first after `indent`, the others under it by `hang` more. A
 * word that is too long stays whole.
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
