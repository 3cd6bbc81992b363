import type {Certainty} from '../../forecast/certainty.ts';
import type {TextMap} from '../../text/textMap.ts';

const unicode = {
	certainty: {certain: '●', likely: '◐', possible: '○'} satisfies Record<Certainty, string>,
	/** The same as a filled cell of the timeline. */
	fill: {certain: '█', likely: '▒', possible: '░'} satisfies Record<Certainty, string>,
	/** Eighths of a filled cell, ascending. */
	rise: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
	// Lower than their cells, so that bars of adjacent rows stay separate.
	full: '▆',
	empty: '▁',
	held: '■',
	stays: '·',
	terminating: '×',
	safe: ' ',
	live: '●',
	lost: '○',
	paused: '‖',
	cursor: '▸',
	mark: '✓',
	ascending: '↑',
	descending: '↓',
	arrow: '→',
	cut: '…',
	rule: '─',
	wall: '│',
	step: '●',
	track: '│',
	between: ' · ',
	enter: '⏎',
	none: '–',
};

/** The signs of the screen. Their shapes alone show everything that colours show. */
export type Glyphs = typeof unicode;

const ascii: Glyphs = {
	certainty: {certain: '*', likely: '+', possible: '?'},
	fill: {certain: '#', likely: '=', possible: '.'},
	rise: ['.', '.', ':', ':', '+', '+', '#', '#'],
	full: '#',
	empty: '.',
	held: '!',
	stays: '.',
	terminating: 'x',
	safe: ' ',
	live: '*',
	lost: 'o',
	paused: '=',
	cursor: '>',
	mark: '+',
	ascending: '^',
	descending: 'v',
	arrow: '->',
	cut: '~',
	rule: '-',
	wall: '|',
	step: 'o',
	track: '|',
	between: ' | ',
	enter: 'enter',
	none: '-',
};

/** What a screen reader says in place of signs; nothing where a word stands beside the sign. */
export const spokenGlyphs: Glyphs = {
	...ascii,
	certainty: {certain: 'certain', likely: 'likely', possible: 'possible'},
	rise: ['', ''],
	full: '',
	empty: '',
	held: '',
	stays: '',
	terminating: '',
	live: '',
	lost: '',
	paused: '',
	cursor: '',
	arrow: ' then ',
	step: '',
	track: '',
	rule: '',
	none: '–',
	between: ', ',
};

export const glyphsOf = (isUnicode: boolean) => (isUnicode ? unicode : ascii);

// Characters that some fonts show as boxes, and other encodings as garbage.
const plainer: TextMap = {
	'–': '-',
	'—': '-',
	'…': '~',
	'→': '>',
	'·': '.',
	'×': 'x',
	'’': "'",
	'“': '"',
	'”': '"',
};

/** Text without characters that an ASCII terminal cannot show, with the same width. */
export const toAscii = (text: string) =>
	text.replaceAll(/[^\x20-\x7e]/gu, (letter) => plainer[letter] ?? '?');
