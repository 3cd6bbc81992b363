import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {encodeLease} from '../../../src/demo/encode/encodeLease.ts';
import {encodeNode} from '../../../src/demo/encode/encodeNode.ts';
import {encodePod} from '../../../src/demo/encode/encodePod.ts';
import {ObjectStore} from '../../../src/demo/world/objectStore.ts';
import {aLease, aNode, aPod, get, now, serve, watch} from '../fixtures.ts';

// kubectl's Accept header.
const asTable = [
	'application/json;as=Table;v=v1;g=meta.k8s.io',
	'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
	'application/json',
].join(',');

test('nodes show status, roles, age and version', async () => {
	const store = new ObjectStore();
	const lost = {type: 'Ready', status: 'Unknown', lastHeartbeatTime: now, lastTransitionTime: now} as const;
	const roles = {'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/edge': ''};
	store.put('nodes', encodeNode(aNode('a1', {labels: roles, unschedulable: true})));
	store.put('nodes', encodeNode(aNode('b1', {conditions: [lost]})));
	store.put('nodes', encodeNode(aNode('c1', {conditions: []})));
	const table = await get(await serve(store), '/api/v1/nodes', asTable);
	const narrow = table.columnDefinitions?.filter(({priority}) => priority === 0).map(({name}) => name);
	expect(narrow).toEqual(['Name', 'Status', 'Roles', 'Age', 'Version']);
	expect(table.rows.map(({cells}) => cells.slice(0, 5))).toEqual([
		['a1', 'Ready,SchedulingDisabled', 'edge,worker', '3d', 'v1.36.3'],
		['b1', 'NotReady', '<none>', '3d', 'v1.36.3'],
		['c1', 'Unknown', '<none>', '3d', 'v1.36.3'],
	]);
	expect(table.rows[0]?.object).toMatchObject({kind: 'PartialObjectMetadata', metadata: {name: 'a1'}});
});

test('pods show readiness, status, restarts and age', async () => {
	const store = new ObjectStore();
	const leaving = {deletionTimestamp: now + 30 * second};
	store.put('pods', encodePod(aPod('a-well'), {restartCount: 2}));
	store.put('pods', encodePod(aPod('b-leaving', {...leaving, ready: 'False'})));
	store.put('pods', encodePod(aPod('c-starting', {phase: 'Pending', ready: 'False'})));
	store.put('pods', encodePod(aPod('d-homeless', {phase: 'Pending', nodeName: ''})));
	const table = await get(await serve(store), '/api/v1/namespaces/shop/pods', asTable);
	expect(table.rows.map(({cells}) => [...cells.slice(0, 5), cells[6]])).toEqual([
		['a-well', '1/1', 'Running', '2', '15m', 'a1'],
		['b-leaving', '0/1', 'Terminating', '0', '15m', 'a1'],
		['c-starting', '0/1', 'ContainerCreating', '0', '15m', 'a1'],
		['d-homeless', '0/1', 'Pending', '0', '15m', '<none>'],
	]);
});

test('what has no columns of its own shows name and age', async () => {
	const store = new ObjectStore();
	const metadata = {name: 'cart', namespace: 'shop', creationTimestamp: '2026-01-02T03:04:00Z'};
	store.put('poddisruptionbudgets', {apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata});
	const table = await get(await serve(store), '/apis/policy/v1/poddisruptionbudgets', asTable);
	expect(table.rows.map(({cells}) => cells)).toEqual([['cart', '5s']]);
});

test('one object makes a table of one row; rows bring as much of it as asked for', async () => {
	const store = new ObjectStore();
	store.put('leases', encodeLease(aLease('a1')));
	const server = await serve(store);
	const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a1';
	expect((await get(server, path, asTable)).rows[0]?.cells).toEqual(['a1', 'a1', '4s']);
	expect((await get(server, `${path}?includeObject=None`, asTable)).rows[0]).not.toHaveProperty('object');
	expect((await get(server, `${path}?includeObject=Object`, asTable)).rows[0]?.object?.kind).toBe('Lease');
});

test('a watch sends its columns once', async () => {
	const store = new ObjectStore();
	const lines = await watch(await serve(store), '/api/v1/pods?watch=true&resourceVersion=1', asTable);
	for (const name of ['cart-0', 'cart-1']) store.put('pods', encodePod(aPod(name)));
	const [first, second] = [(await lines.next()).value, (await lines.next()).value];
	expect(first?.object.columnDefinitions).not.toBeNull();
	expect(second?.object).toMatchObject({kind: 'Table', columnDefinitions: null, rows: [{}]});
});

test('metadata alone can be asked for', async () => {
	const store = new ObjectStore();
	store.put('pods', encodePod(aPod('cart-0')));
	const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
	const list = await get(await serve(store), '/api/v1/pods', accept);
	expect(list.kind).toBe('PartialObjectMetadataList');
	expect(list.items[0]).not.toHaveProperty('spec');
});

test('what cannot be given in any accepted form is 406', async () => {
	const protobuf = 'application/vnd.kubernetes.protobuf';
	const server = await serve(new ObjectStore());
	expect(await get(server, '/api/v1/pods', protobuf)).toMatchObject({code: 406, reason: 'NotAcceptable'});
	expect(await get(server, '/api/v1/pods', `${protobuf}, application/json`)).toMatchObject({kind: 'PodList'});
});
