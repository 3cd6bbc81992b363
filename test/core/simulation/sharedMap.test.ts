import fc from 'fast-check';
import {expect, test} from 'vitest';
import {SharedMap} from '../../../src/core/simulation/sharedMap.ts';

type Value = {readonly n: number};

const step = fc.record({
	what: fc.constantFrom('set', 'set', 'set', 'delete', 'fork', 'read'),
	/** The index of a copy. */
	of: fc.nat(5),
	key: fc.nat(6),
	n: fc.nat(100),
});

test('copies that are changed one by one are as maps that were copied as a whole', () => {
	fc.assert(
		fc.property(fc.array(step, {maxLength: 60}), (steps) => {
			const all: [SharedMap<number, Value>, Map<number, Value>][] = [[new SharedMap(), new Map()]];
			for (const {what, of, key, n} of steps) {
				const pair = all[of % all.length];
				if (!pair) continue;
				const [shared, plain] = pair;
				if (what === 'fork') all.push([shared.fork(), new Map(plain)]);
				else if (what === 'read') expect([...shared.whole()]).toEqual([...plain]);
				else if (what === 'delete') {
					shared.delete(key);
					plain.delete(key);
				} else {
					shared.set(key, {n});
					plain.set(key, {n});
				}
				expect([...shared.keys()]).toEqual([...plain.keys()]);
				for (const [one, other] of all) expect(one.get(key)).toEqual(other.get(key));
			}
			for (const [one, other] of all) expect([...one.whole()]).toEqual([...other]);
		}),
	);
});
