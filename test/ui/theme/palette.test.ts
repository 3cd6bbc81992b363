import {expect, test} from 'vitest';
import type {Tone} from '../../../src/print/tables/kind.ts';
import {capabilitiesOf} from '../../../src/ui/theme/capabilities.ts';
import {glyphsOf, toAscii} from '../../../src/ui/theme/glyphs.ts';
import {paint} from '../../../src/ui/theme/line.ts';
import {type Palette, paletteOf, themeNames} from '../../../src/ui/theme/palette.ts';

test.for([
	{env: {TERM: 'xterm-256color', LANG: 'en_US.UTF-8'}, depth: 8, isUnicode: true},
	{env: {TERM: 'xterm', LANG: 'C'}, depth: 4, isUnicode: false},
	{env: {TERM: 'xterm-256color', COLORTERM: 'truecolor', LC_ALL: 'de_DE.utf8'}, depth: 24, isUnicode: true},
	{env: {TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1'}, depth: 1, isUnicode: false},
	{env: {TERM: 'xterm-256color', NO_COLOR: ''}, depth: 8, isUnicode: false},
	{env: {TERM: 'dumb'}, depth: 1, isUnicode: false},
	{env: {TERM: 'vt100'}, depth: 1, isUnicode: false},
	{env: {TERM: 'xterm', FORCE_COLOR: '3'}, depth: 24, isUnicode: false},
	{env: {LANG: 'en_US.UTF-8', LC_ALL: 'C', TERM: 'linux'}, depth: 4, isUnicode: false},
])('$env', ({env, depth, isUnicode}) => {
	expect(capabilitiesOf(env, 'linux')).toEqual({depth, isUnicode});
});

test('Windows Terminal shows everything', () => {
	expect(capabilitiesOf({WT_SESSION: 'x'}, 'win32')).toEqual({depth: 24, isUnicode: true});
});

const painted = (palette: Palette, tone: Tone | undefined, isSelected: boolean) =>
	paint({spans: [tone ? {text: 'x', tone} : {text: 'x'}], isSelected}, palette);

test('between two stretches only what differs is written', () => {
	const spans = [
		{text: 'a', tone: 'bad'},
		{text: '  '},
		{text: 'b', tone: 'dim'},
		{text: 'c', tone: 'strong'},
	] as const;
	expect(paint({spans}, paletteOf('dark', 4))).toBe(
		'\u001b[1m\u001b[91ma  \u001b[22m\u001b[90mb\u001b[39m\u001b[1mc\u001b[22m',
	);
});

test('spaces are written in whatever stands before them, but for the selection, which shows', () => {
	const palette = paletteOf('dark', 8);
	const spans = [
		{text: '  ', tone: 'key'},
		{text: 'a', tone: 'dim'},
		{text: ' '},
		{text: 'b', tone: 'dim'},
	] as const;
	expect(paint({spans}, palette)).toBe('  \u001b[38;5;247ma b\u001b[39m');
	expect(paint({spans: [{text: ' '}, ...spans], isSelected: true}, palette)).toBe(
		'\u001b[38;5;231m\u001b[48;5;17m   \u001b[38;5;247ma b\u001b[49m\u001b[39m',
	);
});

test.for([
	{depth: 1, code: '\u001b[1mx\u001b[22m'},
	{depth: 4, code: '\u001b[1m\u001b[91mx\u001b[39m\u001b[22m'},
	{depth: 8, code: '\u001b[1m\u001b[38;5;209mx\u001b[39m\u001b[22m'},
	{depth: 24, code: '\u001b[1m\u001b[38;2;240;116;58mx\u001b[39m\u001b[22m'},
] as const)('a colour in $depth bits', ({depth, code}) => {
	expect(painted(paletteOf('dark', depth), 'bad', false)).toBe(code);
});

test.for([
	{depth: 1, code: '\u001b[7mx\u001b[27m'},
	{depth: 4, code: '\u001b[97m\u001b[44mx\u001b[49m\u001b[39m'},
	{depth: 8, code: '\u001b[38;5;231m\u001b[48;5;17mx\u001b[49m\u001b[39m'},
] as const)('the row under the cursor in $depth bits', ({depth, code}) => {
	expect(painted(paletteOf('dark', depth), undefined, true)).toBe(code);
});

test('of 16 colours the row under the cursor has one, as few can be read on another', () => {
	const palette = paletteOf('dark', 4);
	expect(painted(palette, 'dim', true)).toBe(painted(palette, undefined, true));
});

test('what is stale is grey, but not what is wrong', () => {
	const [fresh, stale] = [paletteOf('dark', 24), paletteOf('dark', 24, true)];
	expect(painted(stale, 'certain', false)).toBe(painted(fresh, 'dim', false));
	expect(painted(stale, 'bad', false)).toBe(painted(fresh, 'bad', false));
});

const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

function luminance(hex: string): number {
	const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
	const [r = 0, g = 0, b = 0] = parts.map((part) =>
		part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
	);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const cube = [0, 95, 135, 175, 215, 255];

/** The terminals' fixed colours: the 240 of 256 that users cannot configure. */
function colorOf256(index: number): readonly number[] {
	if (index >= 232) return Array.from({length: 3}, () => 8 + (index - 232) * 10);
	return [36, 6, 1].map((size) => cube[Math.floor((index - 16) / size) % 6] ?? 0);
}

/** The colour of letters (38) or of their background (48). */
function colorIn(text: string, layer: 38 | 48): string {
	const [, r, g, b] = new RegExp(`${layer};2;(\\d+);(\\d+);(\\d+)`).exec(text) ?? [];
	const [, index] = new RegExp(`${layer};5;(\\d+)`).exec(text) ?? [];
	const parts = index === undefined ? [r, g, b] : colorOf256(Number(index));
	return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

const tones = [
	'strong',
	'title',
	'dim',
	'heading',
	'key',
	'good',
	'warn',
	'bad',
	'certain',
	'likely',
	'possible',
	'held',
	'mark',
] as const;

const shown = themeNames.flatMap((theme) => ([8, 24] as const).map((depth) => ({theme, depth})));

test.for(shown)(
	'every colour of $theme in $depth bits can be read: a contrast of 4.5, of 7 in high contrast, of 4.5 in the row under the cursor',
	({theme, depth}) => {
		const background = theme === 'light' ? 1 : luminance('#101418');
		const least = theme === 'high-contrast' ? 7 : 4.5;
		const palette = paletteOf(theme, depth);
		const faint = tones.filter((tone) => {
			const selected = painted(palette, tone, true);
			const [letters, behind] = ([38, 48] as const).map((layer) => luminance(colorIn(selected, layer)));
			// Text without a colour has the terminal's, which can be read on its background.
			const isOwn = painted(palette, tone, false).includes('38;');
			return (
				(isOwn && contrast(letters ?? 0, background) < least) || contrast(letters ?? 0, behind ?? 0) < 4.5
			);
		});
		expect(faint).toEqual([]);
	},
);

test('the certainties differ by shape, in both sets of signs', () => {
	for (const isUnicode of [true, false]) {
		const {certainty, fill, held, terminating} = glyphsOf(isUnicode);
		expect(new Set([...Object.values(certainty), held, terminating]).size).toBe(5);
		expect(new Set(Object.values(fill)).size).toBe(3);
	}
	expect(
		Object.values(glyphsOf(false))
			.flat()
			.every((sign) => typeof sign !== 'string' || toAscii(sign) === sign),
	).toBe(true);
});

test('text for an ASCII terminal keeps its width', () => {
	expect(toAscii('4:05–4:10 … →')).toBe('4:05-4:10 ~ >');
	expect(toAscii('naïve')).toBe('na?ve');
});
