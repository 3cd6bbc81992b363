import fc from 'fast-check';
import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {nextNodeEvidence} from '../../../src/forecast/observe/nodes/nodeEvidence.ts';
import {lastSignBefore} from '../../../src/forecast/simulate/kubeletLives.ts';
import {aNode} from '../../support/builders.ts';

const now = 1000 * second;

test('the last renewal before a kubelet falls silent lies where it is said to, however late each of them is', () => {
	fc.assert(
		fc.property(
			fc.nat({max: 9999}),
			fc.array(fc.double({min: 0, max: 0.04, noNaN: true}), {minLength: 60, maxLength: 60}),
			fc.integer({min: 0, max: 500 * second}),
			(age, jitters, after) => {
				const renewedAt = {lo: now - age, hi: now - age};
				const one = {...nextNodeEvidence(undefined, aNode('n1'), [], undefined, 0), renewedAt};
				let last = renewedAt.lo;
				for (const jitter of jitters) {
					const next = last + 10 * second * (1 + jitter);
					if (next > now + after) break;
					last = next;
				}
				const {renewal} = lastSignBefore(one, now + after, now);
				expect(last).toBeGreaterThanOrEqual(renewal.lo - 1e-6);
				expect(last).toBeLessThanOrEqual(renewal.hi + 1e-6);
			},
		),
	);
});

test('shortly after a renewal was seen its instant is known to the point', () => {
	const renewedAt = {lo: now - second, hi: now - second};
	const one = {...nextNodeEvidence(undefined, aNode('n1'), [], undefined, 0), renewedAt};
	expect(lastSignBefore(one, now + 5 * second, now).renewal).toEqual(renewedAt);
});
