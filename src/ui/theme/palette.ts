import {kept} from '../../core/collections/kept.ts';
import type {Tone} from '../../print/tables/kind.ts';
import type {ColorDepth} from './capabilities.ts';

export type ThemeName = 'dark' | 'light' | 'high-contrast';
export const themeNames: readonly ThemeName[] = ['dark', 'light', 'high-contrast'];

/** One colour in each depth: `#rrggbb`, one of 256, one of 16. */
type Color = readonly [hex: string, of256: number, of16: number];
/** The text of the row under the cursor has a colour of its own: the terminal's may be unreadable on that background. */
type Theme = {
	/** Some tones are only bold; certain has the colour of bad. */
	readonly colors: Readonly<Partial<Record<Tone, Color>>>;
	readonly selection: {readonly background: Color; readonly text: Color};
};

// The colours of Okabe and Ito, which people with any kind of colour blindness can distinguish. Red and green never stand for
// opposites: bad is vermilion or orange, good is bluish.
const themes: Readonly<Record<ThemeName, Theme>> = {
	dark: {
		selection: {background: ['#1b314b', 17, 4], text: ['#ffffff', 231, 15]},
		colors: {
			dim: ['#9499a3', 247, 8],
			heading: ['#7fb8e6', 110, 6],
			key: ['#56b4e9', 74, 6],
			good: ['#35b392', 36, 6],
			warn: ['#e69f00', 178, 3],
			bad: ['#f0743a', 209, 9],
			likely: ['#e6b422', 178, 3],
			possible: ['#56b4e9', 74, 6],
			held: ['#cc86b0', 175, 5],
			mark: ['#f0e442', 227, 11],
		},
	},
	light: {
		selection: {background: ['#e0eefa', 195, 7], text: ['#000000', 16, 0]},
		colors: {
			dim: ['#62666d', 241, 8],
			heading: ['#005a8f', 24, 4],
			key: ['#0068a3', 25, 4],
			good: ['#00735a', 23, 2],
			warn: ['#8a5f00', 94, 3],
			bad: ['#ad4400', 124, 1],
			likely: ['#8a5f00', 94, 3],
			possible: ['#0068a3', 25, 4],
			held: ['#99407a', 96, 5],
			mark: ['#7a4fbf', 61, 5],
		},
	},
	'high-contrast': {
		selection: {background: ['#0000c8', 19, 4], text: ['#ffffff', 231, 15]},
		colors: {
			dim: ['#d0d0d0', 252, 7],
			heading: ['#ffffff', 231, 15],
			key: ['#00ffff', 51, 14],
			good: ['#00ffc0', 49, 14],
			warn: ['#ffd000', 220, 11],
			bad: ['#ff8c50', 209, 9],
			likely: ['#ffd000', 220, 11],
			possible: ['#ffffff', 231, 15],
			held: ['#ffafff', 219, 13],
			mark: ['#ffff00', 226, 11],
		},
	},
};

const boldTones: readonly Tone[] = ['strong', 'title', 'heading', 'bad', 'certain', 'mark'];
/** What else is bold in high contrast. */
const boldInContrast: readonly Tone[] = ['key', 'likely', 'held'];

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
	const {colors, selection} = themes[name];
	const bold = name === 'high-contrast' ? [...boldTones, ...boldInContrast] : boldTones;
	const plain = new Map<Tone | undefined, readonly Rendition[]>();
	const selected: typeof plain = new Map();
	return (tone, isSelected) =>
		kept(isSelected ? selected : plain, tone, () => {
			const shown = isStale && tone !== 'bad' && tone !== 'title' ? 'dim' : tone;
			const color = shown && colors[shown === 'certain' ? 'bad' : shown];
			// Of 16 colours few can be read on the background of another.
			const letters = isSelected && (depth === 4 || !color) ? selection.text : color;
			return [
				...(shown && bold.includes(shown) ? [rendition('1', 22)] : []),
				...(letters ? colored(letters, depth, 38) : []),
				...(isSelected ? colored(selection.background, depth, 48) : []),
			];
		});
}

const rendition = (code: string, end: number): Rendition => ({begin: `\x1b[${code}m`, end: `\x1b[${end}m`});

/** The colour of letters (38), or of their background (48), which is inverse without colours. */
function colored([hex, of256, of16]: Color, depth: ColorDepth, layer: 38 | 48): readonly Rendition[] {
	switch (depth) {
		case 1:
			return layer === 48 ? [rendition('7', 27)] : [];
		case 4:
			return [rendition(String((of16 < 8 ? 30 : 82) + of16 + (layer - 38)), layer + 1)];
		case 8:
			return [rendition(`${layer};5;${of256}`, layer + 1)];
		case 24: {
			const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
			return [rendition(`${layer};2;${channels.join(';')}`, layer + 1)];
		}
	}
}
