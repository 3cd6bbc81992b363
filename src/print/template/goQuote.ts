import type {TextMap} from '../../text/textMap.ts';
import {TemplateError} from './templateError.ts';

const simple: TextMap = {
	a: '\x07',
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t',
	v: '\v',
	'\\': '\\',
	"'": "'",
	'"': '"',
};

const escapes = /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|)/g;

/**
 * The content of a quoted string, with Go's escapes resolved.
 *
 * @throws TemplateError if an escape is invalid
 */
export function unquote(quoted: string): string {
	return quoted.slice(1, -1).replace(escapes, (text, letter, two, four, eight, octal) => {
		if (letter !== undefined) return simple[letter] ?? '';
		const code = Number.parseInt(two ?? four ?? eight ?? octal ?? '', octal === undefined ? 16 : 8);
		if (Number.isNaN(code) || code > 0x10_ff_ff)
			throw new TemplateError(`invalid escape ${text} in ${quoted}`);
		return String.fromCodePoint(code);
	});
}
