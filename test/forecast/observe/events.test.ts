import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Lease} from '../../../src/core/model/lease.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import {taintNotReady, taintUnreachable} from '../../../src/core/model/taint.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import type {Fact} from '../../../src/forecast/explain/explanation.ts';
import type {Forecaster} from '../../../src/forecast/forecaster.ts';
import type {Evidence} from '../../../src/forecast/observe/evidence.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {aCondition, aLeader, aLease, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {fedEvidence} from '../../support/evidence.ts';
import {feed} from '../../support/feed.ts';

const now = 1000 * second;

const anEvent = (
	reason: ClusterEvent['reason'],
	about: string,
	at: Instant,
	fields: Partial<ClusterEvent> = {},
): ClusterEvent => {
	const time = {at, precision: 0};
	const createdAt = Math.floor(at / second) * second;
	const name = `${about.replace('/', '.')}.${at}`;
	return {namespace: 'default', name, reason, about, first: time, last: time, createdAt, ...fields};
};

const leader = (acquireTime: Instant, fields: Partial<Lease> = {}) => aLeader(now, acquireTime, fields);

/** A node with a user's taint, set at an unknown time, and a pod that tolerates it for five minutes. */
const drained = aNode('n1', {taints: [aTaint('maintenance')]});
const web = aPod('web', {tolerations: [tolerates('maintenance', 300)]});
const leases = [aLease('n1', now - second), aLease('n2', now - second)];

type Seen = Partial<ClusterSnapshot> & {readonly node?: Node; readonly pod?: Pod};

function snapshotOf({node = drained, pod = web, ...rest}: Seen): ClusterSnapshot {
	const nodes = [node, aNode('n2')];
	return {observedAt: now, source: 'cluster', nodes, pods: [pod], leases, problems: [], ...rest};
}

function forecasterOf(seen: Seen, settings: Partial<ControllerSettings> = {}): Forecaster {
	const forecaster = aForecaster({...settingsFor('v1.36.3'), ...settings}, snapshotOf(seen));
	return forecaster;
}

const podOf = (forecaster: Forecaster, at = now) => {
	const [pod] = forecaster.forecast(at).pods;
	if (!pod) throw new Error('no pod');
	return pod;
};

const factsOf = (forecaster: Forecaster): readonly Fact[] => {
	const explanation = forecaster.explain({kind: 'pod', namespace: 'shop', name: 'web'}, now);
	return [...(explanation?.steps ?? []), ...(explanation?.whyNot ?? [])].flatMap(({evidence}) => evidence);
};

const written = (time: Instant) => [{manager: 'kubectl', operation: 'Update', time}];

test('a pod whose deletion was tried and that is still there is overdue since then', () => {
	const node = {...drained, taintWrites: written(100 * second)};
	const marked = anEvent('MarkingForDeletion', 'shop/web', 800 * second);
	const forecaster = forecasterOf({node, events: [marked]});
	const {verdict, eviction} = podOf(forecaster);
	expect(verdict).toBe('Overdue');
	expect(eviction).toMatchObject({earliest: 799.9 * second, expected: 800 * second, latest: 800.1 * second});
	expect(factsOf(forecaster)).toContainEqual({
		object: `event/default/${marked.name}`,
		field: 'reason, message',
		value: 'TaintManagerEviction: Marking for deletion Pod shop/web',
		note: 'recorded by the taint-eviction-controller at 1970-01-01T00:13:20Z',
	});
});

test('a timer that ran out without an effect is armed again by a change of taints', () => {
	const node = {...drained, taintWrites: written(100 * second)};
	const forecaster = forecasterOf({node, events: [anEvent('MarkingForDeletion', 'shop/web', 800 * second)]});
	const changed = {...node, taints: [aTaint('maintenance', {value: 'again'})]};
	feed(forecaster, [{type: 'nodeApplied', node: changed}], now + second);
	expect(podOf(forecaster, now + 2 * second)).toMatchObject({
		verdict: 'Scheduled',
		eviction: {latest: now + 301.25 * second},
	});
});

test.for<{name: string; seen: Seen; event: ClusterEvent}>([
	{
		name: 'of an earlier pod of that name',
		seen: {pod: {...web, createdAt: 850 * second}, node: {...drained, taintWrites: written(100 * second)}},
		event: anEvent('MarkingForDeletion', 'shop/web', 800 * second),
	},
	{
		name: 'from before the controllers started',
		seen: {leases: [...leases, leader(900 * second)], node: {...drained, taintWrites: written(100 * second)}},
		event: anEvent('MarkingForDeletion', 'shop/web', 800 * second),
	},
	{
		name: 'from before the last change of the taints',
		seen: {node: {...drained, taintWrites: written(850 * second)}},
		event: anEvent('MarkingForDeletion', 'shop/web', 800 * second),
	},
	{
		name: 'where nothing tells whether the taints changed since',
		seen: {},
		event: anEvent('MarkingForDeletion', 'shop/web', 800 * second),
	},
	{
		name: 'by a clock that is ahead of the API server',
		seen: {node: {...drained, taintWrites: written(100 * second)}},
		event: anEvent('MarkingForDeletion', 'shop/web', 800 * second, {createdAt: 790 * second}),
	},
	{
		name: 'by a clock that the leader lease shows to be wrong',
		seen: {
			node: {...drained, taintWrites: written(100 * second)},
			leases: [...leases, leader(0, {writes: [{manager: 'k', operation: 'Update', time: now + minute}]})],
		},
		event: anEvent('MarkingForDeletion', 'shop/web', 800 * second),
	},
])('a try to delete tells nothing $name', ({seen, event}) => {
	expect(podOf(forecasterOf({...seen, events: [event]}))).toMatchObject({
		...podOf(forecasterOf(seen)),
		because: expect.anything(),
	});
});

test('no countdown is older than the last one that was called off', () => {
	const cancelled = anEvent('CancellingDeletion', 'shop/web', 900 * second);
	const before = podOf(forecasterOf({})).eviction;
	const forecaster = forecasterOf({events: [cancelled]});
	const after = podOf(forecaster).eviction;
	expect(before?.earliest).toBe(now);
	expect(after?.earliest).toBe(1199.8 * second);
	expect(after?.latest).toBe(before?.latest);
	expect(factsOf(forecaster)).toContainEqual(
		expect.objectContaining({value: 'TaintManagerEviction: Cancelling deletion of Pod shop/web'}),
	);
});

test('a countdown that was called off unseen has begun again since', () => {
	const forecaster = forecasterOf({node: aNode('n1')});
	feed(forecaster, [{type: 'nodeApplied', node: drained}], now + second);
	const cancelled = anEvent('CancellingDeletion', 'shop/web', now + 60 * second);
	const renewed = aLease('n1', now + 60 * second);
	feed(forecaster, [{type: 'leaseApplied', lease: renewed}], now + 60 * second);
	feed(forecaster, [{type: 'eventApplied', event: cancelled}], now + 61 * second);
	const {eviction} = podOf(forecaster, now + 62 * second);
	expect(eviction?.earliest).toBe(now + 359.8 * second);
	expect(eviction?.latest).toBeLessThanOrEqual(now + 362 * second);
});

test('one that has begun again unseen may be for any taint that its pod tolerates for a time', () => {
	const pod = aPod('web', {
		tolerations: [tolerates('maintenance', 300), tolerates('repair', 600), tolerates('forever')],
	});
	const forecaster = forecasterOf({node: aNode('n1'), pod});
	feed(forecaster, [{type: 'nodeApplied', node: drained}], now + second);
	feed(forecaster, [{type: 'leaseApplied', lease: aLease('n1', now + 60 * second)}], now + 60 * second);
	const cancelled = anEvent('CancellingDeletion', 'shop/web', now + 60 * second);
	feed(forecaster, [{type: 'eventApplied', event: cancelled}], now + 61 * second);
	const {eviction} = podOf(forecaster, now + 62 * second);
	expect(eviction?.earliest).toBe(now + 359.8 * second);
	expect(eviction?.latest).toBeGreaterThan(now + 660 * second);
	expect(eviction?.latest).toBeLessThanOrEqual(now + 662 * second);
});

test('one that has begun again unseen may be for the other taint of the controllers, which was swapped since', () => {
	const earliest = (whereNotReady: number) => {
		const pod = aPod('web', {
			tolerations: [tolerates(taintNotReady, whereNotReady), tolerates(taintUnreachable, 300)],
		});
		const down = aNode('n1', {
			taints: [aTaint(taintUnreachable, {timeAdded: now})],
			conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: now})],
		});
		const silent = [aLease('n1', now - 52 * second), aLease('n2', now - second)];
		const forecaster = forecasterOf({node: aNode('n1'), pod, leases: silent});
		feed(forecaster, [{type: 'nodeApplied', node: down}], now + second);
		feed(forecaster, [{type: 'leaseApplied', lease: aLease('n2', now + 60 * second)}], now + 60 * second);
		const cancelled = anEvent('CancellingDeletion', 'shop/web', now + 60 * second);
		feed(forecaster, [{type: 'eventApplied', event: cancelled}], now + 61 * second);
		return podOf(forecaster, now + 62 * second).eviction?.earliest ?? 0;
	};
	expect(earliest(300) - earliest(100)).toBe(200 * second);
});

test('that an owner scales down is no news of a node: a forecast of a large cluster costs much', () => {
	const forecaster = forecasterOf({node: aNode('n1')});
	const {newsArrivedAt} = forecaster;
	const at = now + minute;
	feed(forecaster, [{type: 'eventApplied', event: anEvent('SuccessfulDelete', 'default/web', at)}], at);
	expect(forecaster.newsArrivedAt).toBe(newsArrivedAt);
	feed(forecaster, [{type: 'eventApplied', event: anEvent('RegisteredNode', 'n1', at)}], at);
	expect(forecaster.newsArrivedAt).toBe(at);
});

/** The controllers first saw both nodes in one pass. */
const registered = (at: Instant) => [
	anEvent('RegisteredNode', 'n2', at),
	anEvent('RegisteredNode', 'n1', at + 3),
];

function evidenceOf(seen: Seen): Evidence {
	const {evidence, list} = fedEvidence(settingsFor('v1.36.3'));
	list(snapshotOf(seen));
	return evidence;
}

test('a countdown from before a start of the controllers starts again with it, lease or none', () => {
	const forecaster = forecasterOf({node: aNode('n1')});
	feed(forecaster, [{type: 'nodeApplied', node: drained}], now + second);
	const events = registered(now + 100 * second);
	feed(
		forecaster,
		events.map((event) => ({type: 'eventApplied', event}) as const),
		now + 100.2 * second,
	);
	// With all nodes silent, the pod might be evicted as soon as they are detected.
	const renewals = ['n1', 'n2'].map((name) => aLease(name, now + 100.5 * second));
	feed(
		forecaster,
		renewals.map((lease) => ({type: 'leaseApplied', lease}) as const),
		now + 100.7 * second,
	);
	const {eviction} = podOf(forecaster, now + 101 * second);
	expect(eviction?.earliest).toBeGreaterThanOrEqual(now + 399.3 * second);
	expect(eviction?.latest).toBeLessThanOrEqual(now + 401 * second);
	const explanation = forecaster.explain({kind: 'node', name: 'n1'}, now + 101 * second);
	expect(explanation?.assumptions).toContainEqual(expect.stringMatching(/runs, since .*, as its events say/));
});

test('a turn to Unknown is dated by its event, and was one from Ready', () => {
	const node = aNode('n1', {
		conditions: [aCondition('Ready', 'Unknown', {lastTransitionTime: 900 * second})],
	});
	const seen = {node, events: [anEvent('NodeNotReady', 'n1', 900.9 * second)]};
	const one = evidenceOf(seen).nodes.get('n1');
	expect(one?.wasReady).toBe(true);
	expect(one?.readyChangedAt?.lo).toBeCloseTo(900.2 * second);
	expect(one?.readyChangedAt?.hi).toBeCloseTo(901 * second);
	expect(evidenceOf({node}).nodes.get('n1')?.readyChangedAt).toEqual({lo: 900 * second, hi: 901 * second});
	expect(factsOf(forecasterOf(seen))).toContainEqual(
		expect.objectContaining({value: 'NodeNotReady: Node n1'}),
	);
});

test('a taint-eviction controller that reports is not switched off', () => {
	const conditions = [aCondition('Ready', 'False', {lastTransitionTime: 980 * second})];
	const node = aNode('n1', {conditions, taints: [aTaint(taintNotReady, {timeAdded: 990 * second})]});
	const pod = aPod('web', {tolerations: [tolerates(taintNotReady, 300)]});
	const settings = {taintEviction: false};
	expect(podOf(forecasterOf({node, pod}, settings)).verdict).toBe('Stays');
	const events = [anEvent('MarkingForDeletion', 'shop/other', 995 * second)];
	const forecaster = forecasterOf({node, pod, events}, settings);
	expect(podOf(forecaster).verdict).toBe('Scheduled');
	expect(forecaster.forecast(now).problems).toContainEqual(
		expect.objectContaining({reason: 'TaintEvictionSeen'}),
	);
	expect(factsOf(forecaster)).toContainEqual(
		expect.objectContaining({note: expect.stringMatching(/: it is at work$/)}),
	);
});

test('a pod whose deletion was tried in vain is no witness of how long its node has had its taint', () => {
	const other = aPod('other');
	const pods = [web, other];
	const tried = anEvent('MarkingForDeletion', 'shop/other', 800 * second);
	const earliest = (seen: Seen) => {
		const forecast = forecasterOf({...seen, pods}).forecast(now);
		return forecast.pods.find(({name}) => name === 'web')?.eviction?.earliest;
	};
	expect(earliest({})).toBeGreaterThan(now + 260 * second);
	expect(earliest({events: [tried]})).toBe(now);
});
