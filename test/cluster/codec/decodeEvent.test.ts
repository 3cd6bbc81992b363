import {expect, test} from 'vitest';
import {decodeEvent} from '../../../src/cluster/codec/decodeEvent.ts';

const flaws: string[] = [];
const decode = (event: unknown) => decodeEvent(event, (flaw) => flaws.push(flaw));

/** 2026-01-02T03:04:05.678901234Z. */
const nanosecond = 1_767_323_045_678_901_234n;
const at = 1_767_323_045_678.901;

const ofNode = {
	apiVersion: 'v1',
	kind: 'Event',
	metadata: {
		name: `n1.${nanosecond.toString(16)}`,
		namespace: 'default',
		creationTimestamp: '2026-01-02T03:04:06Z',
	},
	involvedObject: {kind: 'Node', name: 'n1', uid: 'u1'},
	reason: 'NodeNotReady',
	message: 'Node n1 status is now: NodeNotReady',
	source: {component: 'node-controller'},
	reportingComponent: 'node-controller',
	firstTimestamp: '2026-01-02T03:04:05Z',
	lastTimestamp: '2026-01-02T03:04:05Z',
	count: 1,
};
const ofPod = {
	...ofNode,
	metadata: {...ofNode.metadata, name: `cart-0.${nanosecond.toString(16)}`, namespace: 'shop'},
	involvedObject: {kind: 'Pod', namespace: 'shop', name: 'cart-0'},
	reason: 'TaintManagerEviction',
	message: 'Marking for deletion Pod shop/cart-0',
	source: {component: 'taint-eviction-controller'},
};

test('an event is dated by the nanosecond in its name', () => {
	const event = decode(ofNode);
	expect(event).toMatchObject({
		reason: 'NodeNotReady',
		about: 'n1',
		createdAt: Date.UTC(2026, 0, 2, 3, 4, 6),
	});
	expect(event?.first.at).toBeCloseTo(at, 2);
	expect(event?.first.precision).toBe(0);
	expect(event?.last).toEqual(event?.first);
});

test('a name that is not of its time is no date: the whole second is', () => {
	const renamed = {...ofNode, metadata: {...ofNode.metadata, name: 'n1.17d0000000000000'}};
	expect(decode(renamed)?.first).toEqual({at: Date.UTC(2026, 0, 2, 3, 4, 5), precision: 1000});
	const random = {...ofNode, metadata: {...ofNode.metadata, name: 'f7d1f0f4-6f0e-4a53-8a0d-2e6c1c9d4b11'}};
	expect(decode(random)?.first.precision).toBe(1000);
});

test('one that came again tells its last time to the second', () => {
	const again = decode({...ofNode, count: 3, lastTimestamp: '2026-01-02T03:14:05Z'});
	expect(again?.first.precision).toBe(0);
	expect(again?.last).toEqual({at: Date.UTC(2026, 0, 2, 3, 14, 5), precision: 1000});
});

test.for([
	{message: 'Marking for deletion Pod shop/cart-0', reason: 'MarkingForDeletion'},
	{message: 'Cancelling deletion of Pod shop/cart-0', reason: 'CancellingDeletion'},
	{message: '(combined from similar events): Marking for deletion Pod shop/cart-0', reason: undefined},
	{message: 'Marking for deletion Pod shop/cart-1', reason: undefined},
])('of evictions, "$message" is understood as $reason', ({message, reason}) => {
	const event = decode({...ofPod, message});
	expect(event?.reason).toBe(reason);
	if (reason) expect(event?.about).toBe('shop/cart-0');
});

test('in events.k8s.io/v1 the same event reads the same', () => {
	const {involvedObject, message, source, firstTimestamp, lastTimestamp, count, reportingComponent, ...same} =
		ofPod;
	const newer = {
		...same,
		apiVersion: 'events.k8s.io/v1',
		regarding: involvedObject,
		note: message,
		deprecatedSource: source,
		reportingController: reportingComponent,
		deprecatedFirstTimestamp: firstTimestamp,
		deprecatedLastTimestamp: lastTimestamp,
		deprecatedCount: count,
	};
	expect(decode(newer)).toEqual(decode(ofPod));
});

test('an event of a series has microseconds', () => {
	const series = {count: 2, lastObservedTime: '2026-01-02T03:14:05.250000Z'};
	const event = decode({...ofNode, firstTimestamp: null, eventTime: '2026-01-02T03:04:05.678901Z', series});
	expect(event?.first.at).toBeCloseTo(at, 2);
	expect(event?.last).toEqual({at: Date.UTC(2026, 0, 2, 3, 14, 5, 250), precision: 0});
});

test.for([
	{name: 'what a kubelet says of itself', event: {...ofNode, source: {component: 'kubelet'}}},
	{
		name: "that a node's pod is not ready",
		event: {...ofPod, reason: 'NodeNotReady', source: {component: 'node-controller'}},
	},
	{name: 'that a node is removed', event: {...ofNode, reason: 'RemovingNode'}},
	{name: 'anything else', event: {...ofPod, reason: 'Scheduled', source: {component: 'default-scheduler'}}},
	{name: 'no event at all', event: 'Event'},
])('$name is passed over in silence', ({event}) => {
	flaws.length = 0;
	expect(decode(event)).toBeUndefined();
	expect(flaws).toEqual([]);
});

test('an event without a time is counted as unreadable', () => {
	flaws.length = 0;
	expect(decode({...ofNode, firstTimestamp: null, lastTimestamp: null})).toBeUndefined();
	expect(flaws).toEqual(['Event without a name or a time']);
});

test('until 1.28 the taint manager reported under another name', () => {
	const old = {...ofPod, source: {component: 'taint-controller'}, reportingComponent: ''};
	expect(decode(old)).toMatchObject({reason: 'MarkingForDeletion', about: 'shop/cart-0'});
});

test('the deletion of all pods of a node is understood', () => {
	const event = {
		...ofNode,
		reason: 'DeletingAllPods',
		message: 'Node n1 event: Deleting all Pods from Node n1.',
	};
	expect(decode(event)).toMatchObject({reason: 'DeletingAllPods', about: 'n1'});
});

test('the node controller of old tells which pods it deletes with their node', () => {
	const reason = 'NodeControllerEviction';
	const source = {component: 'node-controller'};
	const message = 'Marking for deletion Pod cart-0 from Node n1';
	expect(decode({...ofPod, reason, source, message})).toMatchObject({reason, about: 'shop/cart-0'});
	expect(decode({...ofPod, reason, source: {component: 'kubelet'}, message})).toBeUndefined();
});
