import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {RateLimitedTimedQueue} from '../../../src/core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {Random} from '../../../src/core/time/random.ts';
import {adoptEvictions} from '../../../src/forecast/infer/adoptedEvictions.ts';
import type {AffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import type {NodeEvidence} from '../../../src/forecast/observe/nodes/nodeEvidence.ts';
import {aCondition, aNode} from '../../support/builders.ts';
import {aWorld} from '../../support/simulations.ts';

const last = 95 * second;

/** Since when nodes wait whose timeouts ended at these instants, when all zones were down, and which are in the queue. */
function adopted(overdue: Readonly<Record<string, Instant>>) {
	const settings = {...defaultSettings, taintBasedEvictions: false};
	const {lifecycle} = aWorld({settings}).adoptControllers();
	const queue = new RateLimitedTimedQueue(0.1);
	const down = ['n1', 'n2', 'n3'].map((name) => ({
		node: aNode(name, {conditions: [aCondition('Ready', 'Unknown')]}),
	}));
	const waitingSince = adoptEvictions(down as unknown as readonly NodeEvidence[], {
		...{lifecycle, queue, last, quantile: 1, settings, random: new Random(1)},
		schedule: {nextPass: last + 5 * second, period: 5 * second, idlePeriod: 5 * second, firstPass: 0},
		affected: {evictionStarts: new Map(), traceless: new Set()} as unknown as AffectedNodes,
		restart: {at: 90 * second, allDownAt: 80 * second, overdue: new Map(Object.entries(overdue))},
	});
	return {waitingSince, queued: queue.values.toSorted()};
}

test('nodes whose timeout was over while all zones were down go on waiting since then', () => {
	expect(adopted({n2: 60 * second, n3: 40 * second})).toEqual({
		waitingSince: [40 * second, 60 * second],
		queued: ['n2', 'n3'],
	});
	expect(adopted({})).toEqual({waitingSince: [], queued: []});
});
