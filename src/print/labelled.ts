import {wrap} from './wrap.ts';

const width = 15;
const margin = ' '.repeat(width);

/** A title, and its text beside it at the margin that all titles share; each line of the text is broken by itself. */
export const labelled = (title: string, ...lines: readonly string[]): string =>
	lines
		.map((line) => wrap(line, margin))
		.join('')
		.replace(margin, `${title}:`.padEnd(width));
