import {kept} from '../../core/collections/kept.ts';
import type {Tone} from '../../print/tables/kind.ts';
import type {ColorDepth} from './capabilities.ts';

export type ThemeName = 'dark' | 'light' | 'high-contrast';
export const themeNames: readonly ThemeName[] = ['dark', 'light', 'high-contrast'];

/** One colour in each depth: `#rrggbb`, one of 256, one of 16. */
type Color = {readonly hex: string; readonly of256: number; readonly of16: number};
type Style = {readonly color?: Color; readonly isBold?: boolean};
/** The text of the row under the cursor has a colour of its own: the terminal's may be unreadable on that background. */
type Theme = {
	readonly tones: Readonly<Record<Tone, Style>>;
	readonly selection: {readonly background: Color; readonly text: Color};
};

const color = (hex: string, of256: number, of16: number): Color => ({hex, of256, of16});

// The colours of Okabe and Ito, which people with any kind of colour blindness can distinguish. Red and green never stand for
// opposites: bad is vermilion or orange, good is bluish.
const themes: Readonly<Record<ThemeName, Theme>> = {
	dark: {
		selection: {background: color('#1b314b', 17, 4), text: color('#ffffff', 231, 15)},
		tones: {
			dim: {color: color('#9499a3', 247, 8)},
			strong: {isBold: true},
			title: {isBold: true},
			heading: {color: color('#7fb8e6', 110, 6), isBold: true},
			key: {color: color('#56b4e9', 74, 6)},
			good: {color: color('#35b392', 36, 6)},
			warn: {color: color('#e69f00', 178, 3)},
			bad: {color: color('#f0743a', 209, 9), isBold: true},
			certain: {color: color('#f0743a', 209, 9), isBold: true},
			likely: {color: color('#e6b422', 178, 3)},
			possible: {color: color('#56b4e9', 74, 6)},
			held: {color: color('#cc86b0', 175, 5)},
			mark: {color: color('#f0e442', 227, 11), isBold: true},
		},
	},
	light: {
		selection: {background: color('#e0eefa', 195, 7), text: color('#000000', 16, 0)},
		tones: {
			dim: {color: color('#62666d', 241, 8)},
			strong: {isBold: true},
			title: {isBold: true},
			heading: {color: color('#005a8f', 24, 4), isBold: true},
			key: {color: color('#0068a3', 25, 4)},
			good: {color: color('#00735a', 23, 2)},
			warn: {color: color('#8a5f00', 94, 3)},
			bad: {color: color('#ad4400', 124, 1), isBold: true},
			certain: {color: color('#ad4400', 124, 1), isBold: true},
			likely: {color: color('#8a5f00', 94, 3)},
			possible: {color: color('#0068a3', 25, 4)},
			held: {color: color('#99407a', 96, 5)},
			mark: {color: color('#7a4fbf', 61, 5), isBold: true},
		},
	},
	'high-contrast': {
		selection: {background: color('#0000c8', 19, 4), text: color('#ffffff', 231, 15)},
		tones: {
			dim: {color: color('#d0d0d0', 252, 7)},
			strong: {isBold: true},
			title: {isBold: true},
			heading: {color: color('#ffffff', 231, 15), isBold: true},
			key: {color: color('#00ffff', 51, 14), isBold: true},
			good: {color: color('#00ffc0', 49, 14)},
			warn: {color: color('#ffd000', 220, 11)},
			bad: {color: color('#ff8c50', 209, 9), isBold: true},
			certain: {color: color('#ff8c50', 209, 9), isBold: true},
			likely: {color: color('#ffd000', 220, 11), isBold: true},
			possible: {color: color('#ffffff', 231, 15)},
			held: {color: color('#ffafff', 219, 13), isBold: true},
			mark: {color: color('#ffff00', 226, 11), isBold: true},
		},
	},
};

/** A graphic rendition: its start code and its end code. */
export type Rendition = {readonly begin: string; readonly end: string};

/** Returns how a terminal shows text of a tone. */
export type Palette = (tone: Tone | undefined, isSelected: boolean) => readonly Rendition[];

/**
 * A theme for a terminal of a colour depth. Without colours, only bold, dim and inverse are used; a symbol or a word also
 * shows everything that colour shows.
 *
 * @param isStale whether the data may be stale; all text is then dim
 */
export function paletteOf(name: ThemeName, depth: ColorDepth, isStale = false): Palette {
	const {tones, selection} = themes[name];
	const plain = new Map<Tone | undefined, readonly Rendition[]>();
	const selected: typeof plain = new Map();
	return (tone, isSelected) =>
		kept(isSelected ? selected : plain, tone, () => {
			const shown = isStale && tone !== 'bad' && tone !== 'title' ? 'dim' : tone;
			const style: Style = shown ? tones[shown] : {};
			return isSelected
				? [...styleOf({color: selection.text, ...style}, depth), selectionOf(selection.background, depth)]
				: styleOf(style, depth);
		});
}

const rendition = (code: string, end: number): Rendition => ({begin: `\x1b[${code}m`, end: `\x1b[${end}m`});

function styleOf({color: ink, isBold}: Style, depth: ColorDepth): readonly Rendition[] {
	return [
		...(isBold ? [rendition('1', 22)] : []),
		...(ink ? colorCode(ink, depth, 38).map((code) => rendition(code, 39)) : []),
	];
}

const selectionOf = (background: Color, depth: ColorDepth): Rendition => {
	const [code] = colorCode(background, depth, 48);
	return code === undefined ? rendition('7', 27) : rendition(code, 49);
};

function colorCode({hex, of256, of16}: Color, depth: ColorDepth, layer: 38 | 48): readonly string[] {
	switch (depth) {
		case 1:
			return [];
		case 4:
			return [String((of16 < 8 ? 30 : 82) + of16 + (layer - 38))];
		case 8:
			return [`${layer};5;${of256}`];
		case 24:
			return [`${layer};2;${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(';')}`];
	}
}
