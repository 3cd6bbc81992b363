import type {IBufferCell, Terminal} from '@xterm/headless';
import type {ThemeName} from '../src/ui/theme/palette.ts';

const cell = {width: 8.43, height: 18};
const margin = 14;
const grounds: Readonly<Record<ThemeName, {readonly back: string; readonly text: string}>> = {
	dark: {back: '#101418', text: '#d8dee4'},
	light: {back: '#ffffff', text: '#1c2024'},
	'high-contrast': {back: '#000000', text: '#ffffff'},
};

// xterm's 16 default colours.
const sixteen = [
	...['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'],
	...['#8a8a8a', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#ffffff'],
];

/** Renders a terminal as an SVG; each run of letters with the same style is one text element at its cells. */
export function svgOf(terminal: Terminal, theme: ThemeName): string {
	const {cols, rows} = terminal;
	const {back, text} = grounds[theme];
	const width = cols * cell.width + 2 * margin;
	const height = rows * cell.height + 2 * margin;
	const lines = Array.from({length: rows}, (_, row) => lineOf(terminal, row, back, text)).join('');
	return (
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width.toFixed(0)}" height="${height}" viewBox="0 0 ${width.toFixed(0)} ${height}">` +
		`<rect width="100%" height="100%" rx="8" fill="${back}"/>` +
		`<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">${lines}</g></svg>\n`
	);
}

type Run = {
	readonly at: number;
	text: string;
	readonly look: string;
	readonly back: string | undefined;
	length: number;
};

function lineOf(terminal: Terminal, row: number, back: string, text: string): string {
	const line = terminal.buffer.active.getLine(terminal.buffer.active.viewportY + row);
	if (!line) return '';
	const runs: Run[] = [];
	for (let at = 0; at < terminal.cols; at += 1) {
		const one = line.getCell(at);
		if (!one || one.getWidth() === 0) continue;
		const {look, background} = lookOf(one, back, text);
		const letter = one.getChars() || ' ';
		const last = runs.at(-1);
		// Non-ASCII letters have another width in most fonts, so each is placed at its own cell.
		const isPlain = /^[ -~]$/.test(letter);
		if (last && isPlain && last.look === look && last.back === background && /^[ -~]*$/.test(last.text)) {
			last.text += letter;
			last.length += one.getWidth();
		} else {
			runs.push({at, text: letter, look, back: background, length: one.getWidth()});
		}
	}
	const y = margin + row * cell.height;
	return runs.map((run) => shapeOf(run, y)).join('');
}

function shapeOf({at, text, look, back, length}: Run, y: number): string {
	const x = margin + at * cell.width;
	const width = length * cell.width;
	const backgroundBox = back
		? `<rect x="${x.toFixed(2)}" y="${y}" width="${(width + 0.3).toFixed(2)}" height="${cell.height}" fill="${back}"/>`
		: '';
	const block = blockOf(text, x, y, look);
	if (block !== undefined) return backgroundBox + block;
	if (text.trim() === '') return backgroundBox;
	const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
	const fixed = length > 1 ? ` textLength="${width.toFixed(2)}" lengthAdjust="spacing"` : '';
	return `${backgroundBox}<text x="${x.toFixed(2)}" y="${y + 13.5}"${fixed} ${look}>${escaped}</text>`;
}

const rising = '▁▂▃▄▅▆▇█';
const shades: Readonly<Record<string, number>> = {'░': 0.4, '▒': 0.65};

// Block characters are drawn as rectangles, as terminals do, because a font leaves gaps between them.
function blockOf(text: string, x: number, y: number, look: string): string | undefined {
	const eighths = rising.indexOf(text) + 1;
	const shade = shades[text];
	if (eighths === 0 && shade === undefined) return undefined;
	const height = shade === undefined ? (cell.height * eighths) / 8 : cell.height;
	const fill = /fill="([^"]+)"/.exec(look)?.[1] ?? '#888888';
	return `<rect x="${x.toFixed(2)}" y="${(y + cell.height - height).toFixed(2)}" width="${(cell.width + 0.3).toFixed(2)}" height="${height.toFixed(2)}" fill="${fill}" fill-opacity="${shade ?? 1}"/>`;
}

function lookOf(
	one: IBufferCell,
	back: string,
	text: string,
): {readonly look: string; readonly background: string | undefined} {
	const front = colorOf(one.isFgRGB(), one.isFgPalette(), one.getFgColor()) ?? text;
	const behind = colorOf(one.isBgRGB(), one.isBgPalette(), one.getBgColor());
	const isInverse = one.isInverse() !== 0;
	const fill = isInverse ? (behind ?? back) : front;
	const weight = one.isBold() ? ' font-weight="bold"' : '';
	return {look: `fill="${fill}"${weight}`, background: isInverse ? front : behind};
}

function colorOf(isRgb: boolean, isPalette: boolean, color: number): string | undefined {
	if (isRgb) return `#${color.toString(16).padStart(6, '0')}`;
	if (!isPalette) return undefined;
	if (color < 16) return sixteen[color];
	if (color >= 232) return grey(8 + (color - 232) * 10);
	const level = (part: number) => (part === 0 ? 0 : 55 + part * 40);
	const rest = color - 16;
	return rgb(level(Math.floor(rest / 36)), level(Math.floor(rest / 6) % 6), level(rest % 6));
}

const grey = (level: number): string => rgb(level, level, level);
const rgb = (...parts: readonly number[]): string =>
	`#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
