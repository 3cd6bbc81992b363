import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {adoptNodes} from '../../../src/forecast/infer/controllerMemory.ts';
import type {Hypothesis} from '../../../src/forecast/infer/hypothesis.ts';
import type {AffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import type {NodeEvidence} from '../../../src/forecast/observe/nodes/nodeEvidence.ts';
import {unwatchedHeartbeats} from '../../../src/forecast/observe/nodes/statusHeartbeats.ts';
import {aNode} from '../../support/builders.ts';
import {aWorld} from '../../support/simulations.ts';

const lastPass = 95 * second;

/** When the controller last saw a sign of life of a node that posted its status at 60 s, if it remembers. */
function probedAt(one: Partial<NodeEvidence>, quantile = 0, settings = defaultSettings): Instant | undefined {
	const world = aWorld();
	const {lifecycle} = world.adoptControllers();
	const schedule = {
		nextPass: lastPass + 5 * second,
		period: 5 * second,
		idlePeriod: 5 * second,
		firstPass: 0,
	};
	const posted = {lo: 60 * second, hi: 60 * second};
	const evidence = {
		...{node: aNode('n1'), heartbeatAt: posted, heartbeats: unwatchedHeartbeats, readyChangedAt: undefined},
		...{renewedAt: undefined, renewTime: undefined, hasWrongClock: false, isLeaseHidden: true},
		...one,
	};
	const affected = {nodes: [evidence]} as unknown as AffectedNodes;
	adoptNodes(lifecycle, {schedule, quantile} as Hypothesis, affected, settings);
	return lifecycle.health.get('n1')?.probeTimestamp;
}

const everyTenSeconds = {
	intervals: [10, 10, 10].map((seconds) => seconds * second),
	interval: {lo: 10 * second, hi: 11 * second},
};

test('where leases are hidden the controller has seen one renewed, unless the node was seen to live by its posts', () => {
	expect(probedAt({})).toBe(lastPass);
	expect(probedAt({heartbeats: everyTenSeconds})).toBe(60 * second);
	expect(probedAt({isLeaseHidden: false})).toBe(60 * second);
});

test('a status makes a pass forget the lease, unless the pass before has forgotten it for an earlier one', () => {
	const one = {isLeaseHidden: false, renewedAt: {lo: 48 * second, hi: 48 * second}, renewTime: 48 * second};
	const status = (at: number) => ({lo: at * second, hi: at * second});
	const again = 65 * second;
	expect(probedAt({...one, heartbeatBefore: status(20)})).toBe(again);
	expect(probedAt({...one, heartbeatBefore: status(53)})).toBe(60 * second);
	expect(probedAt({...one, heartbeatBefore: undefined})).toBe(60 * second);
	const withIt = {renewedAt: {lo: 54 * second, hi: 54 * second}, renewTime: 54 * second};
	expect(probedAt({...one, ...withIt, heartbeatBefore: status(53)})).toBe(again);
});

test('the last pass may have seen a renewal of a lease that somebody deleted since', () => {
	const unseen = {isLeaseHidden: false};
	expect([0, 1].map((quantile) => probedAt(unseen, quantile))).toEqual([60 * second, lastPass]);
	// If kubelets have no leases, none was deleted.
	expect(probedAt(unseen, 1, {...defaultSettings, nodeLease: false})).toBe(60 * second);
});

test('no pass saw a renewal of a lease that was deleted before the next one: the renewal before it counts', () => {
	const renewedAt = {lo: 71 * second, hi: 71 * second};
	const renewed = {isLeaseHidden: false, renewedAt, renewTime: 71 * second, renewInterval: 10 * second};
	expect(probedAt({...renewed, leaseDeletedAt: 76 * second})).toBe(75 * second);
	expect(probedAt({...renewed, leaseDeletedAt: 74 * second})).toBe(65 * second);
});

test('if a node would be Unknown by now, a pass saw its last sign of life only as much later as that needs', () => {
	const renewed = {lo: 39 * second, hi: 51 * second};
	const one = {isLeaseHidden: false, renewedAt: renewed, renewTime: 39 * second, heartbeatAt: undefined};
	expect([0, 1].map((quantile) => probedAt(one, quantile))).toEqual([45 * second, 55 * second]);
});
