import {expect, test} from 'vitest';
import {cutLine, fitLine, line, span, widthOfSpans} from '../../../src/ui/theme/line.ts';
import {clip, clipMiddle, clipWords, padTo, widthOf, wrapText} from '../../../src/ui/theme/text.ts';

test('wide letters take two columns', () => {
	expect(widthOf('東京')).toBe(4);
	expect(padTo('東京', 6, '…')).toBe('東京  ');
	expect(clip('東京都', 4, '…')).toBe('東…');
	expect(padTo('東京都', 4, '…')).toBe('東… ');
});

test('text is cut, filled and broken to a width', () => {
	expect(padTo('cart', 6, '…')).toBe('cart  ');
	expect(padTo('12', 4, '…', true)).toBe('  12');
	expect(clip('storefront', 6, '…')).toBe('store…');
	expect(clip('x', 0, '…')).toBe('');
	expect(clipMiddle('storefront-z5ktm42dr-bx5k2', 18, '…')).toBe('storefront-…-bx5k2');
	expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
	expect(wrapText('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
	expect(wrapText('see lease/kube-node-lease/ip-10-0-1-7', 16)).toEqual([
		'see',
		'lease/kube-node-',
		'lease/ip-10-0-1-',
		'7',
	]);
});

test('a line has exactly the width asked for, whatever is in it', () => {
	for (const width of [0, 1, 3, 5, 9, 20]) {
		expect(widthOfSpans(fitLine(line(span('ab'), span('東京'), span('cd')), width, '…').spans)).toBe(width);
	}
});

test('words are cut after one of them, and never in a figure', () => {
	expect(clipWords('0 of 1 in 0:12', 14, '...')).toBe('0 of 1 in 0:12');
	expect(clipWords('0 of 1 in 0:12', 13, '...')).toBe('0 of 1 in ...');
	expect(clipWords('import-prices', 8, '...')).toBe('...');
});

test('a line is cut into stretches, in which nothing is lost', () => {
	const text = (of: string, ...widths: readonly number[]) =>
		cutLine(line(span('ab', 'bad'), span(of)), widths).map(({spans}) =>
			spans.map((one) => one.text).join(''),
		);
	expect(text('cdefgh', 2, 3, 9)).toEqual(['ab', 'cde', 'fgh']);
	expect(text('cdefgh', 3, 2, 1)).toEqual(['abc', 'de', 'fgh']);
	expect(text('', 1, 3, 9)).toEqual(['a', 'b', '']);
	expect(text('東京都', 3, 2, 9)).toEqual(['ab', '東', '京都']);
	expect(cutLine({...line(span('abc', 'bad')), isSelected: true}, [1, 2])).toEqual([
		{spans: [{text: 'a', tone: 'bad'}], isSelected: true},
		{spans: [{text: 'bc', tone: 'bad'}], isSelected: true},
	]);
});
