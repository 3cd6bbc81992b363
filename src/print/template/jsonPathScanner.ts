import {TemplateError} from './templateError.ts';

const ends = ' \t\r\n.,[]$@{}';

/** Scans the text of a JSONPath from left to right. */
export class JsonPathScanner {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	get isAtEnd() {
		return this.#at >= this.#text.length;
	}

	/** The next character, without consuming it; empty at the end. */
	get next(): string {
		return this.#text.charAt(this.#at);
	}

	/** Consumes a text if it comes next; returns whether it did. */
	skip(expected: string): boolean {
		if (!this.#text.startsWith(expected, this.#at)) return false;
		this.#at += expected.length;
		return true;
	}

	/** Consumes and returns a match; undefined if there is none. */
	take(pattern: RegExp): string | undefined {
		const sticky = new RegExp(pattern.source, 'yu');
		sticky.lastIndex = this.#at;
		const [taken] = sticky.exec(this.#text) ?? [];
		this.#at += taken?.length ?? 0;
		return taken;
	}

	/** Consumes the text up to and including `end`, or the rest if there is none. */
	upTo(end: string): {readonly text: string; readonly isFound: boolean} {
		const found = this.#text.indexOf(end, this.#at);
		const text = this.#text.slice(this.#at, found < 0 ? undefined : found);
		this.#at = found < 0 ? this.#text.length : found + end.length;
		return {text, isFound: found >= 0};
	}

	/** Consumes a name, up to a character that ends it; a backslash escapes the next character. */
	name(): string {
		let name = '';
		for (; !this.isAtEnd && !ends.includes(this.next); this.#at++) {
			if (this.next === '\\') this.#at++;
			name += this.next;
		}
		return name;
	}

	/** Consumes a quoted string and returns it with its quotes. @throws TemplateError if it does not end on its line */
	quoted(): string {
		const quote = this.next;
		const text = this.take(quote === '"' ? /"(?:\\.|[^"\\\n])*"/ : /'(?:\\.|[^'\\\n])*'/);
		if (text === undefined) throw new TemplateError('unterminated quoted string');
		return text;
	}

	/** The remaining text, for messages. */
	get rest(): string {
		return this.#text.slice(this.#at);
	}
}
