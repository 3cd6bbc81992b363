import {expect, test} from 'vitest';
import {
	karpenterLimit,
	machineLimit,
	nodeLimit,
	scaledValue,
} from '../../../src/core/noderepair/repairLimit.ts';

/** The maximum number of unhealthy nodes among `total`. */
const mostOf = (allows: (unhealthy: number, total: number) => boolean, total: number): number | undefined =>
	Array.from({length: total + 1}, (_, unhealthy) => unhealthy).findLast((unhealthy) =>
		allows(unhealthy, total),
	);

// From getValueFromIntOrPercent of openshift/machine-api-operator and its tests.
test.each([
	[0, 7, 0],
	[3, 7, 3],
	['3', 7, 3],
	['40%', 7, 2],
	['100%', 7, 7],
	['0%', 7, 0],
])('%j of %i nodes, rounded down, is %i', (value, total, scaled) => {
	expect(scaledValue(value, total, 'down')).toBe(scaled);
});

test('what is neither a number nor a percentage stands for none', () => {
	expect(scaledValue('many', 7, 'down')).toBeUndefined();
	expect(scaledValue('4.5%', 7, 'up')).toBeUndefined();
});

test('Karpenter repairs a fifth of a pool, rounded up: one node of a small pool always', () => {
	expect([1, 3, 5, 6, 10, 11].map((total) => mostOf(karpenterLimit, total))).toEqual([1, 1, 1, 2, 2, 3]);
});

test('a MachineHealthCheck rounds maxUnhealthy down, and takes one below zero for zero', () => {
	expect([1, 2, 3, 5, 10].map((total) => mostOf(machineLimit('40%', undefined), total))).toEqual([
		0, 0, 1, 2, 4,
	]);
	expect(mostOf(machineLimit('100%', undefined), 4)).toBe(4);
	expect(mostOf(machineLimit(-1, undefined), 4)).toBe(0);
	expect(mostOf(machineLimit('some', undefined), 4)).toBeUndefined();
});

test('an unhealthyRange takes the place of maxUnhealthy, with both of its ends', () => {
	const allows = machineLimit('100%', '[2-4]');
	expect([0, 1, 2, 3, 4, 5].filter((unhealthy) => allows(unhealthy, 10))).toEqual([2, 3, 4]);
	expect(machineLimit('100%', '2-4')(3, 10)).toBe(false);
});

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
