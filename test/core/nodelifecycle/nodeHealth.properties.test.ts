import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {judgeNodeHealth, type NodeHealth} from '../../../src/core/nodelifecycle/nodeHealth.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode} from '../../support/builders.ts';

/** What a pass observes of a node: the time of its last post, and its lease. */
type Look = {readonly at: Instant; readonly posted: Instant; readonly lease: Instant | undefined};

const grace = 50 * second;

/** The last sign of life at each pass, computed from the whole history: it checks all passes for each, without keeping state. */
function naiveSigns(looks: readonly Look[]): Instant[] {
	const hasPosted = (pass: number) => looks[pass]?.posted !== looks[pass - 1]?.posted;
	const isLeaseNew = (pass: number): boolean => {
		const lease = looks[pass]?.lease;
		if (lease === undefined) return false;
		for (let before = pass - 1; before >= 0; before -= 1) {
			if (isLeaseNew(before)) return (looks[before]?.lease ?? lease) < lease;
			if (hasPosted(before)) return true;
		}
		return true;
	};
	return looks.map((_, pass) => {
		const last = looks.findLastIndex((_, index) => index <= pass && (hasPosted(index) || isLeaseNew(index)));
		return looks[last]?.at ?? Number.NaN;
	});
}

/** The same by the port, which compares each pass with its memory. */
function portedSigns(looks: readonly Look[]) {
	let health: NodeHealth | undefined;
	return looks.map(({at, posted, lease}) => {
		const node = aNode('n1', {conditions: [aCondition('Ready', 'True', {lastHeartbeatTime: posted})]});
		const periods = {nodeMonitorGracePeriod: grace, nodeStartupGracePeriod: grace, nodeLease: true};
		const judged = judgeNodeHealth(node, health, lease, periods, at);
		health = judged.health;
		return {sign: health.probeTimestamp, isSilent: judged.write !== undefined};
	});
}

const steps = fc.array(
	fc.record({
		wait: fc.integer({min: 1, max: 40}),
		posts: fc.boolean(),
		lease: fc.constantFrom('renewed', 'kept', 'kept', 'kept', 'set back', 'deleted'),
	}),
	{minLength: 1, maxLength: 14},
);

const looks = steps.map((all): Look[] => {
	let look: Look = {at: 0, posted: 0, lease: 0};
	return all.map(({wait, posts, lease}) => {
		const at = look.at + wait * second;
		const renewTime = {renewed: at - 1, kept: look.lease, 'set back': -at, deleted: undefined}[lease];
		look = {at, posted: posts && wait % 3 === 0 ? at - 2 : look.posted, lease: renewTime};
		return look;
	});
});

test('any history of posts and renewals is judged as a look back at all of it judges', () => {
	fc.assert(
		fc.property(looks, (history) => {
			const want = naiveSigns(history).map((sign, pass) => ({
				sign,
				isSilent: (history[pass]?.at ?? 0) > sign + grace,
			}));
			expect(portedSigns(history)).toEqual(want);
		}),
		{numRuns: 1000},
	);
});
