import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {encodeDemoNode} from '../../../src/demo/encode/encodeNode.ts';
import {encodeDemoLease} from '../../../src/demo/encode/encodeOthers.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import {aLease, aNode, aPodObject, get, now, serve, watch} from '../fixtures.ts';

// kubectl's Accept header.
const asTable = [
	'application/json;as=Table;v=v1;g=meta.k8s.io',
	'application/json;as=Table;v=v1beta1;g=meta.k8s.io',
	'application/json',
].join(',');

test('nodes show status, roles, age and version', async () => {
	const store = objectStore();
	const lost = {type: 'Ready', status: 'Unknown', lastHeartbeatTime: now, lastTransitionTime: now} as const;
	const roles = {'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/edge': ''};
	store.put('nodes', encodeDemoNode(aNode('a1', {labels: roles, unschedulable: true})));
	store.put('nodes', encodeDemoNode(aNode('b1', {conditions: [lost]})));
	store.put('nodes', encodeDemoNode(aNode('c1', {conditions: []})));
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
	const store = objectStore();
	const leaving = {deletionTimestamp: now + 30 * second};
	store.put('pods', aPodObject('a-well'));
	store.put('pods', aPodObject('b-leaving', {...leaving, ready: 'False'}));
	store.put('pods', aPodObject('c-starting', {phase: 'Pending', ready: 'False'}));
	store.put('pods', aPodObject('d-homeless', {phase: 'Pending', nodeName: ''}));
	const table = await get(await serve(store), '/api/v1/namespaces/shop/pods', asTable);
	expect(table.rows.map(({cells}) => [...cells.slice(0, 5), cells[6]])).toEqual([
		['a-well', '1/1', 'Running', '0', '15m', 'a1'],
		['b-leaving', '0/1', 'Terminating', '0', '15m', 'a1'],
		['c-starting', '0/1', 'ContainerCreating', '0', '15m', 'a1'],
		['d-homeless', '0/1', 'Pending', '0', '15m', '<none>'],
	]);
});

test('what has no columns of its own shows name and age', async () => {
	const store = objectStore();
	const metadata = {name: 'cart', namespace: 'shop', creationTimestamp: '2026-01-02T03:04:00Z'};
	store.put('poddisruptionbudgets', {apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata});
	const table = await get(await serve(store), '/apis/policy/v1/poddisruptionbudgets', asTable);
	expect(table.rows.map(({cells}) => cells)).toEqual([['cart', '5s']]);
});

test('one object makes a table of one row; rows bring as much of it as asked for', async () => {
	const store = objectStore();
	store.put('leases', encodeDemoLease(aLease('a1'), now - 4 * second));
	const server = await serve(store);
	const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a1';
	expect((await get(server, path, asTable)).rows[0]?.cells).toEqual(['a1', '4s']);
	expect((await get(server, `${path}?includeObject=None`, asTable)).rows[0]).not.toHaveProperty('object');
	expect((await get(server, `${path}?includeObject=Object`, asTable)).rows[0]?.object?.kind).toBe('Lease');
});

test('a watch sends its columns once', async () => {
	const store = objectStore();
	const lines = await watch(await serve(store), '/api/v1/pods?watch=true&resourceVersion=1', asTable);
	for (const name of ['cart-0', 'cart-1']) store.put('pods', aPodObject(name));
	const [first, second] = [(await lines.next()).value, (await lines.next()).value];
	expect(first?.object.columnDefinitions).not.toBeNull();
	expect(second?.object).toMatchObject({kind: 'Table', columnDefinitions: null, rows: [{}]});
});

test('what cannot be given in any accepted form is 406', async () => {
	const protobuf = 'application/vnd.kubernetes.protobuf';
	const server = await serve(objectStore());
	expect(await get(server, '/api/v1/pods', protobuf)).toMatchObject({code: 406, reason: 'NotAcceptable'});
	expect(await get(server, '/api/v1/pods', `${protobuf}, application/json`)).toMatchObject({kind: 'PodList'});
});
