import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {NodeQuarantine, quarantineTime} from '../../../src/core/podgc/nodeQuarantine.ts';
import {second} from '../../../src/core/time/instant.ts';

const takeAll = (quarantine: NodeQuarantine, now: number): string[] => {
	const taken: string[] = [];
	for (let node = quarantine.take(now); node !== undefined; node = quarantine.take(now)) taken.push(node);
	return taken;
};

test('a name whose quarantine is over and that waits to be looked at begins the next one', () => {
	const quarantine = new NodeQuarantine();
	quarantine.add('n1', 0);
	quarantine.add('n1', 40 * second);
	expect(takeAll(quarantine, 40 * second)).toEqual(['n1']);
	expect(takeAll(quarantine, 80 * second)).toEqual(['n1']);
});

test('it does what a list of names with the time of their first word does', () => {
	const step = fc.record({
		node: fc.constantFrom('n1', 'n2', 'n3', undefined),
		after: fc.integer({min: 0, max: 25_000}),
	});
	fc.assert(
		fc.property(fc.array(step, {maxLength: 40}), (steps) => {
			const quarantine = new NodeQuarantine();
			let naive: {node: string; at: number}[] = [];
			let now = 0;
			for (const {node, after} of steps) {
				now += after;
				const isOver = ({at}: {at: number}) => at + quarantineTime <= now;
				if (node === undefined) {
					const over = naive.filter(isOver).map((entry) => entry.node);
					naive = naive.filter((entry) => !isOver(entry));
					expect(takeAll(quarantine, now)).toEqual([...new Set(over)]);
				} else {
					quarantine.add(node, now);
					if (!naive.some((entry) => entry.node === node && !isOver(entry))) naive.push({node, at: now});
				}
			}
		}),
	);
});
