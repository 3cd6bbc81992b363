import stringWidth from 'fast-string-width';
import {maxOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import {escapeForCell} from '../../text/escape.ts';

// Nearly all names are ASCII, so their width is their length.
const plain = /^[\x20-\x7e]*$/;

/** The width of text on a terminal, in columns. */
export function widthOf(text: string): number {
	if (plain.test(text)) return text.length;
	return kept(widths, text, () => stringWidth(text), mostWidths);
}

// Caches widths, because all frames have the same few signs, ranges and names.
const widths = new Map<string, number>();
const mostWidths = 5000;

/** Text in exactly `width` columns: truncated at its end, or filled with spaces, in front if it stands at the right. */
export function padTo(text: string, width: number, mark: string, isRight = false): string {
	const cut = clip(text, width, mark);
	const room = ' '.repeat(Math.max(0, width - widthOf(cut)));
	return isRight ? room + cut : cut + room;
}

/** Text truncated at its end to `width` columns; the mark replaces what is missing. */
export function clip(text: string, width: number, mark: string): string {
	if (widthOf(text) <= width) return text;
	if (width <= 0) return '';
	return clipStart(text, width - widthOf(mark)) + mark;
}

/** Words truncated after a whole one, because a truncated number would be wrong. */
export function clipWords(text: string, width: number, mark: string): string {
	if (widthOf(text) <= width) return text;
	const taken = clipStart(text, width - widthOf(mark));
	return `${taken.slice(0, taken.lastIndexOf(' ') + 1)}${mark}`;
}

/** A name truncated in its middle, because the end of a pod's name distinguishes it from its siblings. */
export function clipMiddle(name: string, width: number, mark: string): string {
	if (widthOf(name) <= width) return name;
	if (width < 8) return clip(name, width, mark);
	const tail = Math.min(6, Math.floor(width / 3));
	return `${clipStart(name, width - widthOf(mark) - tail)}${mark}${clipEnd(name, tail)}`;
}

/** The beginning of a text that fits into `width` columns. */
export function clipStart(text: string, width: number): string {
	if (plain.test(text)) return text.slice(0, Math.max(0, width));
	let taken = '';
	let used = 0;
	for (const letter of graphemes(text)) {
		used += widthOf(letter);
		if (used > width) break;
		taken += letter;
	}
	return taken;
}

function clipEnd(text: string, width: number): string {
	if (plain.test(text)) return text.slice(-width);
	return clipStart([...graphemes(text)].reverse().join(''), width)
		.split('')
		.reverse()
		.join('');
}

const segmenter = new Intl.Segmenter();
const graphemes = (text: string) => [...segmenter.segment(text)].map(({segment}) => segment);

/** Wraps text at its spaces into lines of at most `width` columns; a word that is too long is broken, after a sign in it if it has one. */
export const wrapText = (text: string, width: number) =>
	// Escapes before measuring, because visible escapes take columns.
	wrapWords(escapeForCell(text).split(' '), width);

/** Wraps phrases, three spaces apart; only one that nearly fills a line is broken at its spaces. */
export const wrapPhrases = (phrases: readonly string[], width: number): readonly string[] => {
	const words = phrases
		.map(escapeForCell)
		.flatMap((phrase) => ['', '', ...(widthOf(phrase) < width - 2 ? [phrase] : phrase.split(' '))]);
	return wrapWords(words.slice(2), width).map((line) => line.trimEnd());
};

function wrapWords(words: readonly string[], width: number): readonly string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of words.flatMap((long) => pieces(long, width))) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (line !== '' && widthOf(longer) > width) {
			lines.push(line);
			line = word;
		} else {
			line = longer;
		}
	}
	return [...lines, line];
}

function pieces(word: string, width: number): readonly string[] {
	if (widthOf(word) <= width || width < 1) return [word];
	const most = clipStart(word, width) || word.slice(0, 1);
	const sign = maxOf(['/', '.', '-', ','].map((one) => most.lastIndexOf(one))) + 1;
	const first = sign > most.length / 2 ? most.slice(0, sign) : most;
	return [first, ...pieces(word.slice(first.length), width)];
}
