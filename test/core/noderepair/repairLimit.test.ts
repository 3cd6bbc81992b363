import {expect, test} from 'vitest';
import {nodeLimit} from '../../../src/core/noderepair/repairLimit.ts';

/** The maximum number of unhealthy nodes among `total`. */
const mostOf = (allows: (unhealthy: number, total: number) => boolean, total: number): number | undefined =>
	Array.from({length: total + 1}, (_, unhealthy) => unhealthy).findLast((unhealthy) =>
		allows(unhealthy, total),
	);

test('a NodeHealthCheck needs 51% of its nodes to be healthy, rounded up', () => {
	expect([1, 2, 3, 4, 10].map((total) => mostOf(nodeLimit(undefined, undefined), total))).toEqual([
		0, 0, 1, 1, 4,
	]);
	expect(nodeLimit(undefined, undefined)(1, 2)).toBe(false);
	expect(nodeLimit(1, undefined)(2, 3)).toBe(true);
	expect(nodeLimit(-1, undefined)(0, 3)).toBe(false);
});

test('a NodeHealthCheck rounds maxUnhealthy up, and one for more nodes than there are allows nothing', () => {
	expect([1, 3, 4, 10].map((total) => mostOf(nodeLimit(undefined, '49%'), total))).toEqual([1, 2, 2, 5]);
	expect(nodeLimit(undefined, 0)(0, 4)).toBe(true);
	expect(nodeLimit(undefined, 0)(1, 4)).toBe(false);
	expect(nodeLimit(undefined, 5)(1, 4)).toBe(false);
});
