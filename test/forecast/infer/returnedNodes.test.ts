import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {ConditionStatus, Node} from '../../../src/core/model/node.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {nextToken} from '../../../src/forecast/infer/bucket.ts';
import {zonesAt} from '../../../src/forecast/infer/zonePast.ts';
import {findAffectedNodes} from '../../../src/forecast/observe/affectedNodes.ts';
import {hasEvictionStarted} from '../../../src/forecast/observe/countdowns/evictionStart.ts';
import {aCondition, aLease, aNode, aTaint, inZone, keyOfZone} from '../../support/builders.ts';
import {fedEvidence} from '../../support/evidence.ts';

const zone = keyOfZone('a');

const inA = (name: string, status: ConditionStatus, since: Instant, fields: Partial<Node> = {}): Node =>
	aNode(name, {
		labels: inZone('a'),
		conditions: [aCondition('Ready', status, {lastTransitionTime: since, lastHeartbeatTime: since})],
		...fields,
	});

/** Observes n1, beside a healthy node, and its deletion at 10 s. */
function afterDeletion(n1: Node, settings: ControllerSettings) {
	const fed = fedEvidence(settings);
	const nodes = [n1, inA('n2', 'True', -3600 * second)];
	const leases = nodes.map(({name}) => aLease(name, 0));
	fed.list({observedAt: 0, source: 'cluster', nodes, pods: [], leases, problems: []});
	fed.observe([{type: 'nodeDeleted', name: 'n1'}], 10 * second);
	return fed;
}

/** Registers n1 again, at 20 s. */
function register({observe}: ReturnType<typeof afterDeletion>, n1: Node): void {
	const observations = [
		{type: 'nodeApplied', node: n1} as const,
		...['n1', 'n2'].map((name) => ({type: 'leaseApplied', lease: aLease(name, 20 * second)}) as const),
	];
	observe(observations, 20 * second);
}

const settings = settingsFor('v1.36.3');

test.for<{name: string; before: Node; after: Node; want: number}>([
	{
		name: 'not ready, which was ready before',
		before: inA('n1', 'True', -3600 * second),
		after: inA('n1', 'False', 20 * second),
		want: 0,
	},
	{
		name: 'ready, which was ready before',
		before: inA('n1', 'True', -3600 * second),
		after: inA('n1', 'True', 20 * second),
		want: 0,
	},
	{
		name: 'not ready, which was so before',
		before: inA('n1', 'Unknown', -60 * second),
		after: inA('n1', 'False', 20 * second),
		want: 1,
	},
])('a node that is registered again $name, counts once in passes before', ({before, after, want}) => {
	const fed = afterDeletion(before, settings);
	register(fed, after);
	const affected = findAffectedNodes(fed.evidence, 21 * second, settings);
	const {zones} = zonesAt(5 * second, affected, settings);
	expect(zones.get(zone)?.count).toEqual({size: 2, notReady: want});
});

test('one that is well, and of which nothing says any more that it came back lately, counts once too', () => {
	const fed = afterDeletion(inA('n1', 'Unknown', -60 * second), settings);
	register(fed, inA('n1', 'True', -3600 * second));
	fed.evidence.forgetHistory();
	const affected = findAffectedNodes(fed.evidence, 21 * second, settings);
	expect(affected.deleted.map(({one}) => one.node.name)).toEqual(['n1']);
	expect(zonesAt(5 * second, affected, settings).zones.get(zone)?.count.size).toBe(2);
});

test('one that is deleted twice counts once in passes before, as it was at the first', () => {
	const fed = afterDeletion(inA('n1', 'Unknown', -60 * second), settings);
	register(fed, inA('n1', 'True', 20 * second));
	fed.observe([{type: 'nodeDeleted', name: 'n1'}], 25 * second);
	const affected = findAffectedNodes(fed.evidence, 26 * second, settings);
	expect(zonesAt(5 * second, affected, settings).zones.get(zone)?.count).toEqual({size: 2, notReady: 1});
});

test.for<{name: string; labels: Node['labels']; counts: Readonly<Record<string, number>>; places: number}>([
	{name: 'moved to another zone', labels: inZone('b'), counts: {a: 1, b: 1}, places: 1},
	{
		name: 'ceased to count',
		labels: {...inZone('a'), 'node.kubernetes.io/exclude-disruption': ''},
		counts: {a: 1},
		places: 0,
	},
])('passes before counted a healthy or silent node as it was that $name', ({labels, counts, places}) => {
	for (const status of ['True', 'Unknown'] as const) {
		const fed = fedEvidence(settings);
		const nodes = [inA('n1', status, -60 * second), inA('n2', 'True', -3600 * second)];
		const leases = nodes.map(({name}) => aLease(name, 0));
		fed.list({observedAt: 0, source: 'cluster', nodes, pods: [], leases, problems: []});
		fed.observe([{type: 'nodeApplied', node: inA('n1', status, -60 * second, {labels})}], 10 * second);
		const affected = findAffectedNodes(fed.evidence, 11 * second, settings);
		const sizesAt = (at: Instant) =>
			Object.fromEntries(
				[...zonesAt(at, affected, settings).zones].map(([key, {count}]) => [key, count.size]),
			);
		expect(sizesAt(5 * second)).toEqual({[zone]: 2});
		const now = Object.entries(counts).map(([name, size]) => [keyOfZone(name), size]);
		expect(sizesAt(11 * second)).toEqual(Object.fromEntries(now));
		// Only a place in the queue of a zone that it has left is kept.
		expect(affected.deletedWaiting.filter((one) => one.zone === zone)).toHaveLength(
			status === 'Unknown' ? places : 0,
		);
	}
});

const withoutTaints = {...settingsFor('v1.17.17'), taintBasedEvictions: false, taintEviction: false};

test('a node that is registered again not ready has its eviction still before it, though the pods of its name were deleted', () => {
	const fed = afterDeletion(inA('n1', 'Unknown', -60 * second), withoutTaints);
	const time = {at: 5 * second, precision: second};
	const told = {namespace: 'default', name: 'n1.1', reason: 'DeletingAllPods', about: 'n1'} as const;
	const event = {...told, first: time, last: time, createdAt: time.at};
	fed.observe([{type: 'eventApplied', event}], 10 * second);
	register(fed, inA('n1', 'False', 20 * second));
	const {nodes, evictionStarts, deleted} = findAffectedNodes(fed.evidence, 21 * second, withoutTaints);
	const one = nodes.find(({node}) => node.name === 'n1');
	expect(one && hasEvictionStarted(one, evictionStarts, withoutTaints)).toBe(false);
	expect(deleted[0]?.evictionStart?.hi).toBe(7 * second);
});

test('the taint of a node that was deleted, and is back, still tells when its zone spent a token', () => {
	const taint = aTaint('node.kubernetes.io/unreachable', {timeAdded: 5 * second});
	const fed = afterDeletion(inA('n1', 'Unknown', -60 * second, {taints: [taint]}), settings);
	register(fed, inA('n1', 'False', 20 * second));
	const now = 20 * second;
	const affected = findAffectedNodes(fed.evidence, now, settings);
	const token = nextToken({
		...{zone, affected, now, waitingSince: []},
		settings: {...settings, nodeEvictionRate: 0.05},
		past: {state: 'Normal', count: {size: 2, notReady: 1}, rate: 0.05},
		schedule: {
			nextPass: 23 * second,
			period: 5 * second,
			idlePeriod: 5 * second,
			firstPass: Number.NEGATIVE_INFINITY,
		},
	});
	expect(token).toEqual({lo: expect.closeTo(25 * second, 0), hi: expect.any(Number)});
});
