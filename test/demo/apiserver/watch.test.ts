import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {type ObjectStore, objectStore} from '../../../src/demo/world/objectStore.ts';
import {aPodObject, get, nextOf, serve, watch} from '../fixtures.ts';
import {ManualTimers} from '../manualTimers.ts';

const put = (store: ObjectStore, name: string, overrides: Parameters<typeof aPodObject>[1] = {}) =>
	store.put('pods', aPodObject(name, overrides));

test('a watch from the version of a list sees each change once, before and after it began', async () => {
	const store = objectStore();
	put(store, 'cart-0');
	const server = await serve(store);
	const {metadata} = await get(server, '/api/v1/pods');
	put(store, 'cart-1');
	const lines = await watch(server, `/api/v1/pods?watch=true&resourceVersion=${metadata.resourceVersion}`);
	expect(await nextOf(lines, 1)).toEqual(['ADDED cart-1']);
	put(store, 'cart-0');
	store.delete('pods', 'cart-1', 'shop');
	put(store, 'cart-2');
	expect(await nextOf(lines, 3)).toEqual(['MODIFIED cart-0', 'DELETED cart-1', 'ADDED cart-2']);
});

test.for(['', '&resourceVersion=0'])(
	'a watch without a version (%s) begins with what is there',
	async (query) => {
		const store = objectStore();
		for (const name of ['cart-1', 'cart-0']) put(store, name);
		const lines = await watch(await serve(store), `/api/v1/pods?watch=1${query}`);
		put(store, 'cart-2');
		expect(await nextOf(lines, 3)).toEqual(['ADDED cart-0', 'ADDED cart-1', 'ADDED cart-2']);
	},
);

test('a watch from a forgotten version is an ERROR event with 410, and the end', async () => {
	const store = objectStore(1);
	const before = store.resourceVersion;
	for (const name of ['a', 'b']) put(store, name);
	const lines = await watch(await serve(store), `/api/v1/pods?watch=true&resourceVersion=${before}`);
	expect((await lines.next()).value).toMatchObject({
		type: 'ERROR',
		object: {kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 1 (3)'},
	});
	expect(await lines.next()).toMatchObject({done: true});
});

test('an update that enters or leaves a selection is an addition or a deletion', async () => {
	const store = objectStore();
	const server = await serve(store);
	const query = 'watch=true&resourceVersion=1&fieldSelector=spec.nodeName%3Da1';
	const lines = await watch(server, `/api/v1/namespaces/shop/pods?${query}`);
	put(store, 'cart-0', {nodeName: ''});
	put(store, 'cart-0', {nodeName: 'a1'});
	put(store, 'cart-0', {nodeName: 'a1', phase: 'Failed'});
	put(store, 'elsewhere', {namespace: 'payments'});
	put(store, 'cart-0', {nodeName: 'b1'});
	store.delete('pods', 'cart-0', 'shop');
	put(store, 'last');
	expect(await nextOf(lines, 4)).toEqual(['ADDED cart-0', 'MODIFIED cart-0', 'DELETED cart-0', 'ADDED last']);
});

test('a deletion carries the last state under the version of the deletion', async () => {
	const store = objectStore();
	const lines = await watch(await serve(store), '/api/v1/pods?watch=true&resourceVersion=1');
	put(store, 'cart-0');
	store.delete('pods', 'cart-0', 'shop');
	await lines.next();
	expect((await lines.next()).value).toMatchObject({
		type: 'DELETED',
		object: {kind: 'Pod', status: {phase: 'Running'}, metadata: {resourceVersion: '3'}},
	});
});

test('bookmarks come each minute and at the end, with the newest version of the whole store', async () => {
	const store = objectStore();
	const timers = new ManualTimers();
	const server = await serve(store, {timers});
	const query = 'watch=true&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=90';
	const lines = await watch(server, `/api/v1/pods?${query}`);
	store.put('namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop'}});
	timers.advance(minute);
	expect((await lines.next()).value).toMatchObject({
		type: 'BOOKMARK',
		object: {kind: 'Pod', apiVersion: 'v1', metadata: {resourceVersion: '2'}},
	});
	put(store, 'cart-0');
	timers.advance(30 * second);
	expect(await nextOf(lines, 1)).toEqual(['ADDED cart-0']);
	expect((await lines.next()).value).toMatchObject({
		type: 'BOOKMARK',
		object: {metadata: {resourceVersion: '3'}},
	});
	expect(await lines.next()).toMatchObject({done: true});
	expect(timers.pendingCount).toBe(0);
});

test('who does not ask for bookmarks gets none, and the watch ends after half an hour', async () => {
	const timers = new ManualTimers();
	const lines = await watch(await serve(objectStore(), {timers}), '/api/v1/pods?watch=true');
	timers.advance(30 * minute);
	expect(await lines.next()).toMatchObject({done: true});
});

test('closing the server ends its watches and their timers', async () => {
	const timers = new ManualTimers();
	const server = await serve(objectStore(), {timers});
	const lines = await watch(server, '/api/v1/pods?watch=true&allowWatchBookmarks=true');
	expect(timers.pendingCount).toBe(2);
	await server.close();
	await expect(lines.next()).rejects.toThrow();
	expect(timers.pendingCount).toBe(0);
});

test('a request for initial events is refused as by a server without them', async () => {
	const query =
		'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
	expect(await get(await serve(objectStore()), `/api/v1/pods?${query}`)).toMatchObject({
		code: 422,
		reason: 'Invalid',
	});
});
