/** How much fits on the screen. */
export type ScreenSize = {readonly rows: number; readonly columns: number};

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const clearLine = '\x1b[K';
const clearBelow = '\x1b[J';
const clearScreen = '\x1b[2J\x1b[H';

/** Draws lines over those it drew before, each time in one write, so that nothing flickers. */
export class Canvas {
	readonly #print: (text: string) => Promise<void>;
	#drawnLines = 0;
	#isWiped = false;

	constructor(print: (text: string) => Promise<void>) {
		this.#print = print;
	}

	/** Lines that are too long are cut, and those that are too many left out: otherwise the next frame would miss them. */
	async draw(lines: readonly string[], {rows, columns}: ScreenSize): Promise<void> {
		const fitting = lines.slice(0, Math.max(1, rows - 1));
		// The last column stays free: behind a full line, a terminal's cursor stands on its last letter.
		const text = fitting.map((line) => `${cut(line, columns - 1)}${clearLine}\n`).join('');
		const back = this.#drawnLines > 0 ? `\r\x1b[${this.#drawnLines}A` : '';
		const start = this.#isWiped ? clearScreen : back;
		this.#isWiped = false;
		this.#drawnLines = fitting.length;
		await this.#print(`${hideCursor}${start}${text}${clearBelow}`);
	}

	/** After a change of its size, a terminal has wrapped anew what was drawn: the next frame begins on a clear screen. */
	resized(): void {
		this.#isWiped = true;
	}
}

/** What brings a terminal back that a canvas was drawn on. */
export const restoreTerminal = showCursor;

function cut(line: string, width: number): string {
	const letters = [...line];
	return letters.length > width ? `${letters.slice(0, Math.max(0, width - 1)).join('')}…` : line;
}
