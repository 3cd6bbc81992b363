import {wrap} from './wrap.ts';

const width = 15;
const margin = ' '.repeat(width);

/** A title with its text beside it, at the same margin for all titles; each line of the text is wrapped separately. */
export const labelled = (title: string, ...lines: readonly string[]): string =>
	lines
		.map((line) => wrap(line, margin))
		.join('')
		.replace(margin, `${title}:`.padEnd(width));
