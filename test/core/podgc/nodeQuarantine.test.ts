import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {NodeQuarantine} from '../../support/podgc/nodeQuarantine.ts';

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
