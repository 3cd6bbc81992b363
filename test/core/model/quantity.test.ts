import {expect, test} from 'vitest';
import {parseQuantity} from '../../../src/core/model/workloads/quantity.ts';

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
] as const)('the quantity %j is %d', ([text, want]) => {
	expect(parseQuantity(text)).toBe(want);
});
