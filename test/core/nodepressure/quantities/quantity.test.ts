import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseQuantity} from '../../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {
	addQuantities,
	compareQuantities,
	int64Of,
	subtractQuantities,
} from '../../../../src/core/nodepressure/quantities/quantity.ts';

test('a decimal quantity beyond int64 wraps: 2^64 has the value 0', () => {
	expect(int64Of(parseQuantity('18446744073709551616'))).toBe(0n);
	expect(int64Of(parseQuantity('9223372036854775808'))).toBe(-(2n ** 63n));
});

const anyQuantity = fc
	.record({unscaled: fc.bigInt({min: -(2n ** 70n), max: 2n ** 70n}), exponent: fc.integer({min: -9, max: 9})})
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
