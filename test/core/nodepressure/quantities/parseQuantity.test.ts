import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatQuantity} from '../../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {numberOfQuantity, parseQuantity} from '../../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {
	compareQuantities,
	int64Of,
	newQuantity,
} from '../../../../src/core/nodepressure/quantities/quantity.ts';

const written = (text: string) => formatQuantity(parseQuantity(text));

test.for([
	{text: '100Mi', amount: 104_857_600n, want: '100Mi'},
	{text: '1024Ki', amount: 1_048_576n, want: '1Mi'},
	{text: '1.5G', amount: 1_500_000_000n, want: '1500M'},
	{text: '12e6', amount: 12_000_000n, want: '12e6'},
	{text: '00100', amount: 100n, want: '00100'},
	{text: '-', amount: 0n, want: '0'},
	{text: '9223372036854775808Ki', amount: 2n ** 63n - 1n, want: '9223372036854775807'},
	{text: '0.5Ki', amount: 512n, want: '512'},
	{text: '0.0001Ki', amount: 1n, want: '102400u'},
])('$text is $amount, and is written $want', ({text, amount, want}) => {
	expect([int64Of(parseQuantity(text)), written(text)]).toEqual([amount, want]);
});

test('a suffix without a number is zero', () => {
	expect([parseQuantity('Mi').unscaled, written('Mi')]).toEqual([0n, '0']);
});

test('what is finer than a nano is rounded up to one', () => {
	expect([written('0.0000000001'), written('-0.0000000001'), written('1e-20')]).toEqual([
		'1n',
		'-1n',
		'1e-9',
	]);
});

test.for([
	{text: '', want: 'quantities must match the regular expression'},
	{text: '1.2.3', want: 'quantities must match the regular expression'},
	{text: '1 Gi', want: 'quantities must match the regular expression'},
	{text: '1mi', want: "unable to parse quantity's suffix"},
	{text: '5+3', want: "unable to parse quantity's suffix"},
	{text: '1e99999999999999999999', want: "unable to parse quantity's suffix"},
	{text: '.e-10', want: 'unable to parse numeric part of quantity'},
])('$text is refused in apimachinery’s words', ({text, want}) => {
	expect(() => parseQuantity(text)).toThrow(want);
});

test('a quantity that was parsed in canonical form is written as it came: `+5Gi`, `1e+3`', () => {
	expect(['+5Gi', '1e+3', '5.Gi', '+8Gi'].map(written)).toEqual(['+5Gi', '1e+3', '5.Gi', '8Gi']);
});

test('a binary quantity below 1024 is written in powers of ten: 1000 is 1k', () => {
	const binary = (amount: bigint) => formatQuantity(newQuantity(amount, 'BinarySI'));
	expect([1000n, 1023n, 1024n, 10_000n, -1000n, -2048n].map(binary)).toEqual([
		'1k',
		'1023',
		'1Ki',
		'10000',
		'-1k',
		'-2Ki',
	]);
});

test('what is written is read again as the same amount', () => {
	fc.assert(
		fc.property(fc.bigInt({min: -(2n ** 62n), max: 2n ** 62n}), fc.boolean(), (amount, isBinary) => {
			const quantity = newQuantity(amount, isBinary ? 'BinarySI' : 'DecimalSI');
			expect(compareQuantities(parseQuantity(formatQuantity(quantity)), quantity)).toBe(0);
		}),
	);
});

test('any text is read or refused, never anything else', () => {
	fc.assert(
		fc.property(fc.string({unit: fc.constantFrom(...'0123456789.+-eEinumkKMGTPi ')}), (text) => {
			try {
				const quantity = parseQuantity(text);
				expect(compareQuantities(quantity, quantity)).toBe(0);
			} catch (error) {
				expect(String(error)).toMatch(/quantit/);
			}
		}),
	);
});

test.for([
	['250m', 0.25],
	['2', 2],
	['1.5Gi', 1.5 * 2 ** 30],
	['64Mi', 64 * 2 ** 20],
	['10k', 10_000],
	['2e3', 2000],
	['1E', 1e18],
	['.5', 0.5],
	['', undefined],
	['1 Gi', undefined],
	['x', undefined],
	['Mi', undefined],
	['1e400', Number.POSITIVE_INFINITY],
] as const)('%j is the number %d', ([text, want]) => {
	expect(numberOfQuantity(text)).toBe(want);
});
