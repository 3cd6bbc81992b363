import {expect, test} from 'vitest';
import {escapeForCell, escapeForTerminal, escapeInsideQuotes} from '../../src/text/escape.ts';

test.for([
	{name: 'plain text stays', text: 'cart-0 ünï', want: 'cart-0 ünï'},
	{name: 'ESC becomes a caret and a bracket, as in kubectl', text: '\u001b[31mred', want: '^[[31mred'},
	{name: 'a carriage return becomes visible, as in kubectl', text: 'a\rb', want: 'a\\rb'},
	{name: 'a tab becomes visible', text: 'a\tb', want: 'a\\tb'},
	{name: 'the bell becomes a caret and a letter', text: '\u0007', want: '^G'},
	{name: 'the one-byte CSI becomes its code point', text: '\u009b31m', want: '\\u009b31m'},
	{name: 'DEL becomes its code point', text: '\u007f', want: '\\u007f'},
	{name: 'marks that turn the direction become code points', text: 'a\u202eb', want: 'a\\u202eb'},
	{
		name: 'what has no width becomes visible',
		text: 'a\u200bb\u2060c\ufeff',
		want: 'a\\u200bb\\u2060c\\ufeff',
	},
	{name: 'joiners and soft hyphens, too', text: 'a\u200db\u00adc\u034f', want: 'a\\u200db\\u00adc\\u034f'},
	{name: 'variation selectors, too', text: 'a\ufe0fb\u{e0100}', want: 'a\\ufe0fb\\udb40\\udd00'},
	{name: 'tags, which spell what nobody sees', text: 'a\u{e0041}b', want: 'a\\udb40\\udc41b'},
	{
		name: 'blanks other than the space',
		text: 'a b\u00a0c\u2003d\u3000e\u202f',
		want: 'a b\\u00a0c\\u2003d\\u3000e\\u202f',
	},
	{
		name: 'letters that are blank',
		text: 'a\u3164b\u115f\uffa0\u2800',
		want: 'a\\u3164b\\u115f\\uffa0\\u2800',
	},
	{
		name: 'fillers and signs that are blank',
		text: 'a\u{16fe4}b\u{13441}\u{13442}\u{1d159}',
		want: 'a\\ud81b\\udfe4b\\ud80d\\udc41\\ud80d\\udc42\\ud834\\udd59',
	},
	{name: 'newlines stay', text: 'a\nb', want: 'a\nb'},
])('$name', ({text, want}) => {
	expect(escapeForTerminal(text)).toBe(want);
});

test('a cell ends at its first line break, as in kubectl', () => {
	expect(escapeForCell('first\nsecond')).toBe('first...');
	expect(escapeForCell('first\r\u001b[2K')).toBe('first...');
});

test('JSON with escapes holds the same value', () => {
	const value = {name: '\u001b[31m \u009b2J \u202e \u2028 ü \u200b\u{e0041}'};
	const escaped = escapeInsideQuotes(JSON.stringify(value, null, 4));
	expect(escaped).toBe('{\n    "name": "\\u001b[31m \\u009b2J \\u202e \\u2028 ü \\u200b\\udb40\\udc41"\n}');
	expect(JSON.parse(escaped)).toEqual(value);
});
