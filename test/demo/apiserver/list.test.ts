import {expect, test} from 'vitest';
import {encodeDemoNode} from '../../../src/demo/encode/encodeNode.ts';
import {type ObjectStore, objectStore} from '../../../src/demo/world/objectStore.ts';
import {aNode, aPodObject, get, namesOf, serve} from '../fixtures.ts';

function storeWithPods(count: number, historyLimit = 5000): ObjectStore {
	const store = objectStore(historyLimit);
	for (let index = 0; index < count; index++) store.put('pods', aPodObject(`cart-${index}`));
	return store;
}

test('the pages of a list show one state, whatever is written between them', async () => {
	const store = storeWithPods(7);
	const server = await serve(store);
	const first = await get(server, '/api/v1/pods?limit=3');
	expect(namesOf(first)).toEqual(['cart-0', 'cart-1', 'cart-2']);
	expect(first.metadata.remainingItemCount).toBe(4);

	store.delete('pods', 'cart-3', 'shop');
	store.put('pods', aPodObject('cart-4', {phase: 'Failed'}));
	store.put('pods', aPodObject('cart-44'));
	const second = await get(server, `/api/v1/pods?limit=3&continue=${first.metadata.continue}`);
	expect(namesOf(second)).toEqual(['cart-3', 'cart-4', 'cart-5']);
	expect(second.items[1]).toHaveProperty('status.phase', 'Running');

	const third = await get(server, `/api/v1/pods?limit=3&continue=${second.metadata.continue}`);
	expect(namesOf(third)).toEqual(['cart-6']);
	expect(third.metadata.continue).toBeUndefined();
	expect(third.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
});

test('a page that the list just fills is the last', async () => {
	const server = await serve(storeWithPods(3));
	expect((await get(server, '/api/v1/pods?limit=3')).metadata.continue).toBeUndefined();
});

test('a selector fills pages with what it selects, and the rest is not counted', async () => {
	const store = storeWithPods(4);
	for (const name of ['till-0', 'till-1', 'till-2']) {
		store.put('pods', aPodObject(name, {nodeName: 'b1', labels: {app: 'till'}}));
	}
	const server = await serve(store);
	const byField = await get(server, '/api/v1/pods?limit=2&fieldSelector=spec.nodeName%3Db1');
	expect(namesOf(byField)).toEqual(['till-0', 'till-1']);
	expect(byField.metadata.remainingItemCount).toBeUndefined();
	const rest = `/api/v1/pods?limit=2&fieldSelector=spec.nodeName%3Db1&continue=${byField.metadata.continue}`;
	expect(namesOf(await get(server, rest))).toEqual(['till-2']);
	expect(namesOf(await get(server, '/api/v1/pods?labelSelector=app%20in%20(till)'))).toHaveLength(3);
});

test('a page of a state that is forgotten is 410 Expired', async () => {
	const store = storeWithPods(4, 2);
	const server = await serve(store);
	const first = await get(server, '/api/v1/pods?limit=2');
	for (const name of ['x', 'y', 'z']) store.put('pods', aPodObject(name));
	// The latest requested state is kept, so another request is needed to drop it.
	await get(server, '/api/v1/pods');
	const next = await get(server, `/api/v1/pods?limit=2&continue=${first.metadata.continue}`);
	expect(next).toMatchObject({kind: 'Status', code: 410, reason: 'Expired'});
});

test('a list is of one namespace or of all', async () => {
	const store = storeWithPods(1);
	store.put('pods', aPodObject('ledger-0', {namespace: 'payments'}));
	const server = await serve(store);
	expect(namesOf(await get(server, '/api/v1/namespaces/payments/pods'))).toEqual(['ledger-0']);
	expect(namesOf(await get(server, '/api/v1/pods'))).toEqual(['ledger-0', 'cart-0']);
	expect(namesOf(await get(server, '/api/v1/namespaces/nowhere/pods'))).toEqual([]);
});

test('the items of a list do not repeat their type', async () => {
	const store = objectStore();
	store.put('nodes', encodeDemoNode(aNode('a1')));
	const list = await get(await serve(store), '/api/v1/nodes');
	expect(list).toMatchObject({kind: 'NodeList', apiVersion: 'v1'});
	expect(list.items[0]).not.toHaveProperty('kind');
});

test('version 0 takes any state, an exact one that state, one of the future times out', async () => {
	const store = storeWithPods(1);
	const before = store.resourceVersion;
	store.put('pods', aPodObject('cart-1'));
	const server = await serve(store);
	expect(namesOf(await get(server, '/api/v1/pods?resourceVersion=0'))).toHaveLength(2);
	const exact = `/api/v1/pods?resourceVersion=${before}&resourceVersionMatch=Exact`;
	expect(namesOf(await get(server, exact))).toEqual(['cart-0']);
	expect(await get(server, '/api/v1/pods?resourceVersion=999')).toMatchObject({code: 504, reason: 'Timeout'});
});

test.for([
	'limit=x',
	'resourceVersion=-1',
	'continue=nonsense',
	'labelSelector=%3D',
	'fieldSelector=spec.x%3D1',
])('%s is a bad request', async (query) => {
	expect(await get(await serve(objectStore()), `/api/v1/pods?${query}`)).toMatchObject({
		kind: 'Status',
		code: 400,
		reason: 'BadRequest',
	});
});

test("a node's pods are those that are bound to it now, or were at the version asked for", async () => {
	const store = storeWithPods(2);
	const bind = (name: string, nodeName: string) => store.put('pods', aPodObject(name, {nodeName}));
	for (const name of ['till-1', 'till-0', 'till-2']) bind(name, 'n1');
	const server = await serve(store);
	const ofNode = (query: string) => get(server, `/api/v1/pods?fieldSelector=spec.nodeName%3Dn1${query}`);
	const first = await ofNode('&limit=2');
	expect(namesOf(first)).toEqual(['till-0', 'till-1']);
	bind('till-1', 'n2');
	store.delete('pods', 'till-2', 'shop');
	bind('till-3', 'n1');
	expect(namesOf(await ofNode(''))).toEqual(['till-0', 'till-3']);
	expect(namesOf(await ofNode(`&continue=${first.metadata.continue}`))).toEqual(['till-2']);
	expect(
		namesOf(await get(server, '/api/v1/pods?fieldSelector=spec.nodeName!%3Dn1,status.phase%3DRunning')),
	).toContain('till-1');
});
