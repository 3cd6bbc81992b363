/** Asks a terminal for its background (OSC 11). One that does not know it says nothing. */
export const backgroundQuestion = '\x1b]11;?\x1b\\';

/** What ink reports of a key event. */
type Typed = {readonly input: string; readonly isMeta: boolean};

/** What an event is: a key, part of an answer, or its end. */
type Taken = 'key' | 'part' | 'light' | 'dark';

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals answer in control characters
const answer = /^11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)[\da-f/]*(\x07|\\)$/i;
const beginning = /^(1(1(;[rgba:\da-f/]*)?)?)?$/i;

/**
 * Takes a terminal's answer out of what is typed. ink reports its escapes as alt with the bracket and the backslash after
 * them; over a slow line it may come in pieces.
 */
export class BackgroundAnswer {
	/** Of an answer that is not complete. */
	#begun: string | undefined;

	take({input, isMeta}: Typed): Taken {
		if (isMeta && input === ']') {
			this.#begun = '';
			return 'part';
		}
		if (this.#begun === undefined) return 'key';
		const text = this.#begun + input;
		const isBegun = beginning.test(text);
		this.#begun = isBegun ? text : undefined;
		if (isBegun) return 'part';
		const channels = answer.exec(text)?.slice(1, 4);
		if (!channels) return 'key';
		return isLight(channels) ? 'light' : 'dark';
	}
}

/** Whether a colour of red, green and blue, in hexadecimal digits, is nearer to white than to black. */
function isLight(channels: readonly string[]): boolean {
	const [red = 0, green = 0, blue = 0] = channels.map(
		(digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1),
	);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}
