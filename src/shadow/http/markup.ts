import {escapeForTerminal} from '../../text/escape.ts';
import type {TextMap} from '../../text/textMap.ts';

/** HTML that is already escaped. */
export class Markup {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

type Part = Markup | string | number | readonly (Markup | string | number)[];

const entities: TextMap = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes text for HTML. Control characters and bidirectional marks are made visible, as in a terminal. */
const escapeHtml = (text: string): string =>
	escapeForTerminal(text).replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);

/** HTML from a template: inserted values are escaped unless they are Markup. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
	const texts = parts.map((part) => [part].flat().map(textOf).join(''));
	return new Markup(strings.reduce((all, text, index) => `${all}${texts[index - 1] ?? ''}${text}`));
}

const textOf = (part: Markup | string | number): string =>
	part instanceof Markup ? part.text : escapeHtml(String(part));

export const nothing = new Markup('');
