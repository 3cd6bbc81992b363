import {expect, test} from 'vitest';
import {controllerManagerLease} from '../../src/core/model/lease.ts';
import type {Node} from '../../src/core/model/node.ts';
import {taintUnreachable} from '../../src/core/model/taint.ts';
import {second} from '../../src/core/time/instant.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, aTaint, inZone, tolerates} from '../support/builders.ts';
import {feed} from '../support/feed.ts';

// Changes just after a forecast are in the next one.

const now = 100 * second;
const isDead = (index: number) => index % 3 === 0;
const names = Array.from({length: 24}, (_, index) => `n${index}`);
const nodes = names.map((name, index) => aNode(name, {labels: inZone(isDead(index) ? 'a' : 'b')}));
const pods = names.flatMap((nodeName) =>
	Array.from({length: 3}, (_, pod) =>
		aPod(`p${pod}-${nodeName}`, {nodeName, tolerations: [tolerates(taintUnreachable, 300)]}),
	),
);

function watcher(): Forecaster {
	const forecaster = aForecaster(
		{},
		{
			observedAt: now,
			nodes,
			pods,
			leases: names.map((name, index) => aLease(name, now - (isDead(index) ? 45 : 2) * second)),
		},
	);
	return forecaster;
}

const unknown = (node: Node, at: number, isTainted: boolean): Node => ({
	...node,
	conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: at})],
	taints: isTainted ? [aTaint(taintUnreachable, {timeAdded: at})] : [],
});

const [dead = aNode('n0'), alive = aNode('n1')] = nodes;

test('a silent node that turns Unknown and is tainted changes its forecast and that of its pods', () => {
	const forecaster = watcher();
	forecaster.forecast(now);
	feed(forecaster, [{type: 'nodeApplied', node: unknown(dead, now + 200, true)}], now + 200);
	const after = forecaster.forecast(now + 300);
	expect(after.nodes.find(({name}) => name === 'n0')).toMatchObject({verdict: 'Tainted', ready: 'Unknown'});
	for (const pod of after.pods.filter(({node}) => node === 'n0')) expect(pod.verdict).toBe('Scheduled');
	expect(after.observedAt).toBe(now + 300);
	expect(after.zones.find(({zone}) => zone === 'eu/a')?.notReady).toBe(1);
});

test('a node that was well gets a taint, and its pods have their countdowns at once', () => {
	const forecaster = watcher();
	forecaster.forecast(now);
	const tainted: Node = {...alive, taints: [aTaint('example.com/gone', {timeAdded: now + 200})]};
	feed(forecaster, [{type: 'nodeApplied', node: tainted}], now + 200);
	const after = forecaster.forecast(now + 300);
	for (const pod of after.pods.filter(({node}) => node === 'n1')) expect(pod.verdict).toBe('Scheduled');
});

test('a pod that goes or comes is gone or there at once', () => {
	const forecaster = watcher();
	forecaster.forecast(now);
	feed(forecaster, [{type: 'podDeleted', namespace: 'shop', name: 'p0-n0'}], now + 100);
	expect(forecaster.forecast(now + 150).pods).toHaveLength(pods.length - 1);
	feed(forecaster, [{type: 'podApplied', pod: aPod('new', {nodeName: 'n1'})}], now + 200);
	expect(forecaster.forecast(now + 250).pods.find(({name}) => name === 'new')?.verdict).toBe('Safe');
});

test.for([
	{
		name: 'a node that comes back',
		observation: {type: 'leaseApplied', lease: aLease('n0', now + 100)} as const,
		verdict: 'Healthy',
		of: 'n0',
	},
	{
		name: 'a node that nobody suspected',
		observation: {type: 'nodeApplied', node: unknown(alive, now + 100, false)} as const,
		verdict: 'Queued',
		of: 'n1',
	},
])('$name changes everything', ({observation, verdict, of}) => {
	const forecaster = watcher();
	forecaster.forecast(now);
	feed(forecaster, [observation], now + 110);
	const fresh = watcher();
	feed(fresh, [observation], now + 110);
	const [after, made] = [forecaster.forecast(now + 120), fresh.forecast(now + 120)];
	expect(after).toEqual(made);
	expect(after.nodes.find(({name}) => name === of)?.verdict).toBe(verdict);
});

test('a node that falls silent is a change, at the instant at which nothing tells it; its silence is none again', () => {
	const forecaster = watcher();
	feed(forecaster, [{type: 'nodeApplied', node: unknown(dead, now + 200, true)}], now + 200);
	forecaster.forecast(now + 200);
	expect(forecaster.changedAt(now + 10 * second)).toBe(now + 200);
	const silentAt = now + 20 * second;
	expect(forecaster.changedAt(silentAt)).toBe(silentAt);
	forecaster.forecast(silentAt);
	expect(forecaster.changedAt(silentAt + second)).toBe(now + 200);
});

test('controllers that stop are a change, at the instant at which nothing tells it', () => {
	const forecaster = watcher();
	const lease = {
		...controllerManagerLease,
		leaseDuration: 15 * second,
		acquireTime: now - 60 * second,
		renewTime: now,
		writes: [{manager: 'kube-controller-manager', operation: 'Update', time: now}],
	} as const;
	feed(forecaster, [{type: 'leaseApplied', lease}], now);
	forecaster.forecast(now + second);
	expect(forecaster.changedAt(now + 2 * second)).toBe(now);
	const absentAt = now + 17 * second;
	expect(forecaster.changedAt(absentAt)).toBe(absentAt);
	forecaster.forecast(absentAt);
	expect(forecaster.changedAt(absentAt + second)).toBe(now);
});

test.for([0.2, 0.8, 1.5, 1.9])(
	'a pod whose countdown ended %s s ago goes no sooner than it may go at the latest',
	(late) => {
		const forecaster = watcher();
		feed(forecaster, [{type: 'nodeApplied', node: unknown(dead, now + 200, true)}], now + 200);
		forecaster.forecast(now + 200);
		const {pods: found} = forecaster.forecast(now + 200 + (300 + late) * second);
		const ranges = found.flatMap(({node, eviction}) => (node === 'n0' && eviction ? [eviction] : []));
		expect(ranges).toHaveLength(3);
		for (const {earliest, expected, latest} of ranges) {
			expect(latest ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(expected);
			expect(expected).toBeGreaterThanOrEqual(earliest);
		}
	},
);
