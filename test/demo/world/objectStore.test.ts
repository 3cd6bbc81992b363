import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ApiObject} from '../../../src/demo/encode/apiObject.ts';
import {encodePod} from '../../../src/demo/encode/encodePod.ts';
import {ObjectStore} from '../../../src/demo/world/objectStore.ts';
import {aPod} from '../fixtures.ts';

const names = (store: ObjectStore, resourceVersion?: number) =>
	store.entriesAt('pods', resourceVersion)?.map(({key}) => key);

test('each write of whatever resource makes a new version, and the object carries it', () => {
	const store = new ObjectStore();
	const first = store.put('pods', encodePod(aPod('cart-0')));
	const second = store.put('namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop'}});
	expect(Number(second.metadata.resourceVersion)).toBe(Number(first.metadata.resourceVersion) + 1);
	expect(store.resourceVersion).toBe(Number(second.metadata.resourceVersion));
});

test('uid and creation time outlive an update that names none', () => {
	const store = new ObjectStore();
	const lease = (creationTimestamp: string): ApiObject => ({
		apiVersion: 'coordination.k8s.io/v1',
		kind: 'Lease',
		metadata: {name: 'a1', namespace: 'kube-node-lease', creationTimestamp},
	});
	const created = store.put('leases', lease('2026-01-01T00:00:00Z'));
	const renewed = store.put('leases', lease('2026-01-01T00:00:10Z'));
	expect(renewed.metadata.uid).toBe(created.metadata.uid);
	expect(renewed.metadata.creationTimestamp).toBe('2026-01-01T00:00:00Z');
});

test('another uid under the same name is a deletion and a creation', () => {
	const store = new ObjectStore();
	store.put('pods', encodePod(aPod('cart-0', {uid: 'old'})));
	const before = store.resourceVersion;
	store.put('pods', encodePod(aPod('cart-0', {uid: 'new'})));
	const changes = store.changesSince('pods', before) ?? [];
	expect(changes.map(({type, object}) => `${type} ${object.metadata.uid}`)).toEqual([
		'DELETED old',
		'ADDED new',
	]);
});

test('a deleted object is returned under the version of its deletion, once', () => {
	const store = new ObjectStore();
	store.put('pods', encodePod(aPod('cart-0')));
	expect(store.delete('pods', 'cart-0', 'shop')?.metadata.resourceVersion).toBe(
		String(store.resourceVersion),
	);
	expect(store.delete('pods', 'cart-0', 'shop')).toBeUndefined();
	expect(names(store)).toEqual([]);
});

test('changes older than the history are unknown, not empty', () => {
	const store = new ObjectStore({historyLimit: 2});
	const before = store.resourceVersion;
	for (const name of ['a', 'b', 'c']) store.put('pods', encodePod(aPod(name)));
	expect(store.changesSince('pods', before)).toBeUndefined();
	expect(names(store, before)).toBeUndefined();
	expect(names(store, before + 1)).toEqual(['shop/a']);
	expect(store.changesSince('pods', before + 1)).toHaveLength(2);
});

test('a subscriber sees each later write, until it leaves', () => {
	const store = new ObjectStore();
	store.put('pods', encodePod(aPod('before')));
	const seen: string[] = [];
	const leave = store.subscribe('pods', ({type, key}) => seen.push(`${type} ${key}`));
	store.put('pods', encodePod(aPod('cart-0')));
	store.put('leases', {apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: {name: 'a1'}});
	store.delete('pods', 'cart-0', 'shop');
	leave();
	store.put('pods', encodePod(aPod('after')));
	expect(seen).toEqual(['ADDED shop/cart-0', 'DELETED shop/cart-0']);
});

const writes = fc.array(fc.record({name: fc.constantFrom('a', 'b', 'c', 'd'), isDelete: fc.boolean()}), {
	maxLength: 40,
});

test('any version within the history is what the store held then, or unknown', () => {
	fc.assert(
		fc.property(writes, fc.integer({min: 1, max: 12}), (steps, historyLimit) => {
			const store = new ObjectStore({historyLimit});
			const held = new Map([[store.resourceVersion, names(store)]]);
			for (const {name, isDelete} of steps) {
				if (isDelete) store.delete('pods', name, 'shop');
				else store.put('pods', encodePod(aPod(name)));
				held.set(store.resourceVersion, names(store));
			}
			for (const [version, wanted] of held) {
				const isKnown = store.resourceVersion - version <= historyLimit;
				expect(names(store, version)).toEqual(isKnown ? wanted : undefined);
			}
		}),
	);
});
