import {expect, test} from 'vitest';
import {parseQuantity} from '../../../../src/core/nodepressure/quantities/parseQuantity.ts';
import {int64Of} from '../../../../src/core/nodepressure/quantities/quantity.ts';

test('a decimal quantity beyond int64 wraps: 2^64 has the value 0', () => {
	expect(int64Of(parseQuantity('18446744073709551616'))).toBe(0n);
	expect(int64Of(parseQuantity('9223372036854775808'))).toBe(-(2n ** 63n));
});
