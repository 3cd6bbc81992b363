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
	{name: 'newlines stay', text: 'a\nb', want: 'a\nb'},
])('$name', ({text, want}) => {
	expect(escapeForTerminal(text)).toBe(want);
});

test('a cell ends at its first line break, as in kubectl', () => {
	expect(escapeForCell('first\nsecond')).toBe('first...');
	expect(escapeForCell('first\r\u001b[2K')).toBe('first...');
});

test('JSON with escapes holds the same value', () => {
	const value = {name: '\u001b[31m \u009b2J \u202e \u2028 ü'};
	const escaped = escapeInsideQuotes(JSON.stringify(value, null, 4));
	expect(escaped).toBe('{\n    "name": "\\u001b[31m \\u009b2J \\u202e \\u2028 ü"\n}');
	expect(JSON.parse(escaped)).toEqual(value);
});
