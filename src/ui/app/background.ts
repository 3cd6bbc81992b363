import {setTimeout as sleep} from 'node:timers/promises';
import type {KeyPress} from '../state/keyName.ts';

/**
 * Asks a terminal for its background (OSC 11), and then for its attributes (DA1). One that does not know its background says
 * nothing about it, but every terminal tells its attributes: after them nothing more is to come.
 */
const question = '\x1b]11;?\x1b\\\x1b[c';

/** How long the answers are waited for at the end, in milliseconds. */
const longestWait = 1000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals answer in control characters
const attributes = /\x1b\[\?[\d;]+c/;
/** The most characters that they take. */
const longestAttributes = 100;

const answer =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
	/^11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)[\da-f/]*(?:\x07|\x1b?\\)(?<keys>.*)$/is;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const beginning = /^(1(1(;([rgba:\da-f/]+\x1b?)?)?)?)?$/i;

/**
 * A terminal's background. It is asked for once, and its answer is taken out of what is typed. ink reports its escapes as
 * alt with the bracket and the backslash after them; over a slow line it may come in pieces.
 */
export class Background {
	/** The theme that suits it: dark until the terminal says otherwise. */
	theme: 'dark' | 'light' = 'dark';
	/** Of an answer that is not complete. */
	#begun: string | undefined;
	#wasAsked = false;
	/** Resolves with the last answer; undefined if none is expected. */
	#due: PromiseWithResolvers<void> | undefined;
	#isWaiting = false;

	/** @returns ends listening to the answers */
	ask(stdout: Pick<NodeJS.WriteStream, 'write'>, stdin: NodeJS.EventEmitter): (() => void) | undefined {
		if (this.#wasAsked) return undefined;
		this.#wasAsked = true;
		this.#due = Promise.withResolvers();
		let heard = '';
		// ink keeps the attributes to itself.
		const onData = (chunk: unknown) => {
			heard = (heard + String(chunk)).slice(-longestAttributes);
			if (!attributes.test(heard)) return;
			stdin.off('data', onData);
			this.#due?.resolve();
			this.#due = undefined;
		};
		stdin.on('data', onData);
		stdout.write(question);
		return () => {
			stdin.off('data', onData);
		};
	}

	/** Takes the answer out of a key event; returns the input that is left, or undefined if nothing is. */
	take(input: string, key: Pick<KeyPress, 'meta' | 'escape' | 'ctrl'>): string | undefined {
		const received = key.escape ? '\x1b' : key.ctrl ? controlOf(input) : input;
		const keys = this.#withoutAnswer(received, key.meta);
		if (keys === undefined || this.#isWaiting) return undefined;
		return keys === received ? input : keys;
	}

	#withoutAnswer(input: string, isMeta: boolean): string | undefined {
		if (isMeta && input === ']') {
			this.#begun = '';
			return undefined;
		}
		if (this.#begun === undefined) return input;
		const text = this.#begun + input;
		// An arrow key has no input.
		const isBegun = input !== '' && beginning.test(text);
		this.#begun = isBegun ? text : undefined;
		if (isBegun) return undefined;
		const found = answer.exec(text);
		if (!found) return input;
		this.theme = isLight(found.slice(1, 4)) ? 'light' : 'dark';
		return found.groups?.['keys'] || undefined;
	}

	/**
	 * Waits for the answers, which the shell would take for typed text; undefined if none is expected. Keys until then are
	 * ignored: the screen is being left.
	 */
	settled(): Promise<void> | undefined {
		if (!this.#due) return undefined;
		this.#isWaiting = true;
		return Promise.race([this.#due.promise, sleep(longestWait)]).finally(() => {
			this.#due = undefined;
			this.#isWaiting = false;
		});
	}
}

/** The character that ink reports as ctrl with a letter: a bell may end the answer, no other is a part of it. */
const controlOf = (letter: string) => (letter === 'g' ? '\x07' : '\x00');

/** Whether a colour of red, green and blue, in hexadecimal digits, is nearer to white than to black. */
function isLight(channels: readonly string[]) {
	const [red = 0, green = 0, blue = 0] = channels.map(
		(digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1),
	);
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5;
}
