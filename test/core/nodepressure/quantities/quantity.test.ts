import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatQuantity} from '../../../../src/core/nodepressure/quantities/formatQuantity.ts';
import {parseQuantity} from '../../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {
	addQuantities,
	compareQuantities,
	int64Of,
	isWhole,
	newQuantity,
	roundUp,
	signOf,
	subtractQuantities,
} from '../../../../src/core/nodepressure/quantities/quantity.ts';

const compare = (a: string, b: string) => compareQuantities(parseQuantity(a), parseQuantity(b));

test('quantities compare by their amount, however written', () => {
	expect([compare('1Ki', '1024'), compare('1k', '1Ki'), compare('1Gi', '1G')]).toEqual([0, -1, 1]);
	expect([compare('1500m', '1.5'), compare('-1', '1'), compare('0', '0Mi')]).toEqual([0, -1, 0]);
	expect([compare('-2k', '-1k'), compare('-1', '-1m'), compare('1n', '0')]).toEqual([-1, -1, 1]);
});

test('an absurd exponent is compared without being written out', () => {
	expect([compare('1e999999999', '1e999999998'), compare('-1e999999999', '1')]).toEqual([1, -1]);
	expect(roundUp(newQuantity(1n, 'DecimalSI'), 999_999_999)).toBe(1n);
});

test('sums are exact, and take the format of the first that is not zero', () => {
	const sum = (a: string, b: string) => formatQuantity(addQuantities(parseQuantity(a), parseQuantity(b)));
	expect([sum('1Gi', '512Mi'), sum('100m', '1'), sum('0', '1Gi'), sum('1Gi', '1')]).toEqual([
		'1536Mi',
		'1100m',
		'1Gi',
		'1073741825',
	]);
});

test('a difference may be negative', () => {
	const difference = subtractQuantities(parseQuantity('1Gi'), parseQuantity('2Gi'));
	expect([formatQuantity(difference), signOf(difference)]).toEqual(['-1Gi', -1]);
});

test('a value is rounded away from zero', () => {
	expect(['1500m', '-1500m', '1n', '2'].map((text) => int64Of(parseQuantity(text)))).toEqual([
		2n,
		-2n,
		1n,
		2n,
	]);
	expect(isWhole(parseQuantity('1500m'))).toBe(false);
	expect(isWhole(parseQuantity('2000m'))).toBe(true);
});

test('a decimal quantity beyond int64 wraps: 2^64 has the value 0', () => {
	expect(int64Of(parseQuantity('18446744073709551616'))).toBe(0n);
	expect(int64Of(parseQuantity('9223372036854775808'))).toBe(-(2n ** 63n));
});

const anyQuantity = fc
	.record({
		unscaled: fc.bigInt({min: -(2n ** 70n), max: 2n ** 70n}),
		exponent: fc.integer({min: -9, max: 9}),
	})
	.map((parts) => ({...parts, format: 'DecimalSI' as const}));

test('any sum less one part is the other, and adding keeps the order', () => {
	fc.assert(
		fc.property(anyQuantity, anyQuantity, anyQuantity, (a, b, c) => {
			expect(compareQuantities(subtractQuantities(addQuantities(a, b), b), a)).toBe(0);
			expect(compareQuantities(addQuantities(a, c), addQuantities(b, c))).toBe(compareQuantities(a, b));
			expect(compareQuantities(a, b)).toBe(-compareQuantities(b, a) + 0);
		}),
	);
});
