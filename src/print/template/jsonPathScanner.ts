import {TemplateError} from './templateError.ts';

const ends = ' \t\r\n.,[]$@{}';

/** Reads the text of a JSONPath from left to right. */
export class JsonPathScanner {
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	get isAtEnd(): boolean {
		return this.#at >= this.#text.length;
	}

	/** The next character, which stays; empty at the end. */
	get next(): string {
		return this.#text.charAt(this.#at);
	}

	/** Whether this comes next; if so, it is behind us. */
	skip(expected: string): boolean {
		if (!this.#text.startsWith(expected, this.#at)) return false;
		this.#at += expected.length;
		return true;
	}

	/** What matches here, and is behind us; undefined where nothing does. */
	take(pattern: RegExp): string | undefined {
		const sticky = new RegExp(pattern.source, 'yu');
		sticky.lastIndex = this.#at;
		const [taken] = sticky.exec(this.#text) ?? [];
		this.#at += taken?.length ?? 0;
		return taken;
	}

	/** The text up to a piece of text, which is behind us too; to the end, where it does not come. */
	upTo(end: string): {readonly text: string; readonly isFound: boolean} {
		const found = this.#text.indexOf(end, this.#at);
		const text = this.#text.slice(this.#at, found < 0 ? undefined : found);
		this.#at = found < 0 ? this.#text.length : found + end.length;
		return {text, isFound: found >= 0};
	}

	/** A name: all up to what cannot be in one; a backslash takes what follows for a letter. */
	name(): string {
		let name = '';
		for (; !this.isAtEnd && !ends.includes(this.next); this.#at++) {
			if (this.next === '\\') this.#at++;
			name += this.next;
		}
		return name;
	}

	/** A text in quotes, with them. @throws TemplateError where it does not end on its line. */
	quoted(): string {
		const quote = this.next;
		const text = this.take(quote === '"' ? /"(?:\\.|[^"\\\n])*"/ : /'(?:\\.|[^'\\\n])*'/);
		if (text === undefined) throw new TemplateError('unterminated quoted string');
		return text;
	}

	/** What is left, as it stands: for messages. */
	get rest(): string {
		return this.#text.slice(this.#at);
	}
}
