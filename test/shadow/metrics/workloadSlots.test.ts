import fc from 'fast-check';
import {expect, test} from 'vitest';
import {minute} from '../../../src/core/time/instant.ts';
import {WorkloadSlots} from '../../../src/shadow/metrics/state.ts';

test('a workload keeps its series for an hour after its last loss, and then makes room', () => {
	const slots = new WorkloadSlots(1);
	slots.assign(new Map([['a', 1]]), 0);
	expect([...slots.assign(new Map([['b', 9]]), 60 * minute).shown]).toEqual([['a', 0]]);
	expect([...slots.assign(new Map([['b', 9]]), 60 * minute + 1).shown]).toEqual([['b', 9]]);
});

test('there are never more series than slots, and nothing is lost from the sum', () => {
	const losses = fc.dictionary(fc.constantFrom(...'abcdefgh'), fc.integer({min: 1, max: 9}));
	fc.assert(
		fc.property(fc.nat(4), fc.array(fc.tuple(losses, fc.nat(90))), (limit, steps) => {
			const slots = new WorkloadSlots(limit);
			let now = 0;
			for (const [lost, minutes] of steps) {
				now += minutes * minute;
				const {shown, rest} = slots.assign(new Map(Object.entries(lost)), now);
				expect(shown.size).toBeLessThanOrEqual(limit);
				const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
				expect(sum(shown.values()) + rest).toBe(sum(Object.values(lost)));
			}
		}),
	);
});
