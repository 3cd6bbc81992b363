import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatQuantity} from '../../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {parseQuantity} from '../../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {compareQuantities, newQuantity} from '../../../../src/core/nodepressure/quantities/quantity.ts';

const written = (text: string) => formatQuantity(parseQuantity(text));

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
