import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import type {NodeChooser, Selection} from '../../../src/cluster/transport/selection.ts';
import {maxWatches} from '../../../src/cluster/watch/followedPods.ts';
import {podChooser} from '../../../src/session/podChooser.ts';
import {answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {Follower} from '../../support/follower.ts';
import {rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
let stack: AsyncDisposableStack;
beforeEach(async () => {
	stack = new AsyncDisposableStack();
	server = stack.use(await FakeApiServer.start());
	for (const index of [1, 2, 3]) {
		server.apply('nodes', rawNode(`n${index}`));
		server.apply('leases', rawLease('kube-node-lease', `n${index}`));
		server.apply('pods', rawPod('shop', `cart-${index}`, `n${index}`));
	}
});
afterEach(() => stack.disposeAsync());

/** Selects the nodes that the test sets. */
class Chooser implements NodeChooser {
	names: readonly string[] = [];
	first(): readonly string[] {
		return this.names;
	}
	wanted(): readonly string[] {
		return this.names;
	}
}

async function following(names: readonly string[], onProgress?: Selection['onProgress'], chunkSize?: string) {
	const chooser = new Chooser();
	chooser.names = names;
	const cluster = await connect({server: server.url, chunkSize}, bareEnvironment(), instantTiming());
	stack.defer(() => cluster.close());
	const follower = stack.use(new Follower(cluster, {pods: {type: 'chosen', chooser}, onProgress}));
	await follower.until(() => follower.calls.length > 0);
	return {chooser, follower, cluster};
}

const podWatches = () => server.watchesOf('pods');

test('the first call brings the pods of the nodes that are chosen', async () => {
	const {follower} = await following(['n2']);
	expect(follower.calls[0]?.filter(({type}) => type === 'podApplied')).toHaveLength(1);
	expect(follower.received).toContain('podApplied shop/cart-2');
	expect(follower.received).not.toContain('podApplied shop/cart-1');
});

test('where pods are waited for, the chooser sees nodes and leases before', async () => {
	const chooser = new Chooser();
	chooser.names = ['n2'];
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	stack.defer(() => cluster.close());
	const looks: string[][] = [];
	const first: NodeChooser['first'] = (observations) => {
		expect(follower.calls).toEqual([]);
		looks.push(observations.map(({type}) => type));
		return chooser.names;
	};
	const looking = {first, wanted: () => chooser.names};
	const follower = stack.use(new Follower(cluster, {pods: {type: 'chosen', chooser: looking}}));
	await follower.until(() => follower.calls.length > 0);
	expect(looks).toHaveLength(1);
	expect(looks[0]?.filter((type) => type === 'nodeApplied')).toHaveLength(3);
	expect(looks[0]).not.toContain('podApplied');
});

test('where none is chosen, no pod is waited for', async () => {
	const {follower} = await following([]);
	expect(follower.received.filter((what) => what.startsWith('node'))).toHaveLength(3);
	expect(server.asked.some(({resource}) => resource === 'pods')).toBe(false);
});

test('the pods of a node that is chosen later are looked at for the first time, and then followed', async () => {
	const {chooser, follower} = await following(['n2']);
	chooser.names = ['n2', 'n3'];
	await follower.untilReceived('podApplied shop/cart-3');
	expect(follower.provenances.get('podApplied shop/cart-3')).toEqual({type: 'firstLook'});
	server.apply('pods', rawPod('shop', 'cart-9', 'n3'));
	await follower.untilReceived('podApplied shop/cart-9');
});

test('the pods of a node that somebody asks about are known once the answer settles', async () => {
	const chooser = {...podChooser(), first: () => ['n2']};
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	stack.defer(() => cluster.close());
	const follower = stack.use(new Follower(cluster, {pods: {type: 'chosen', chooser}}));
	await follower.until(() => follower.calls.length > 0);
	expect(follower.received).not.toContain('podApplied shop/cart-3');
	expect(await chooser.read(['n3'])).toBe(true);
	expect(follower.received).toContain('podApplied shop/cart-3');
	expect(await chooser.read(['n3'])).toBe(true);
});

test('a question does not make it read the pods of all nodes, nor wait for those that may not be read', async () => {
	const nodes = (from: number, until: number) =>
		Array.from({length: until - from}, (_, index) => `n${from + index}`);
	const chooser = podChooser({nodes: nodes(0, 5)});
	expect(await chooser.read(nodes(5, 25))).toBe(false);
	expect(chooser.wanted(0, () => true)).toEqual(nodes(0, 5));
	const answer = chooser.read(nodes(5, 24));
	expect(chooser.wanted(0, () => false)).toEqual(nodes(0, 24));
	chooser.wanted(10_000, (name) => name !== 'n7');
	expect(await answer).toBe(false);
	expect(chooser.wanted(10_000, () => true)).not.toContain('n7');
});

test('a node that is chosen no more is followed still: its pods are not gone', async () => {
	const {chooser, follower} = await following(['n2']);
	chooser.names = [];
	server.remove('pods', 'shop/cart-2');
	await follower.untilReceived('podDeleted shop/cart-2');
});

test('a node that is chosen no more is let go once it has no pods, and looked at anew when it is chosen again', async () => {
	const {chooser, follower} = await following(['n2']);
	await expect.poll(podWatches).toBe(1);
	chooser.names = [];
	server.remove('pods', 'shop/cart-2');
	await follower.untilReceived('podDeleted shop/cart-2');
	await expect.poll(podWatches).toBe(0);
	server.apply('pods', rawPod('shop', 'cart-22', 'n2'));
	chooser.names = ['n2'];
	await follower.untilReceived('podApplied shop/cart-22');
	expect(follower.provenances.get('podApplied shop/cart-22')).toEqual({type: 'firstLook'});
});

test('above a limit one watch of all other pods joins those of nodes, and nothing is missed', async () => {
	const {chooser, follower} = await following(['n1', 'n2']);
	await expect.poll(podWatches).toBe(2);
	chooser.names = Array.from({length: maxWatches + 1}, (_, index) => `n${index + 1}`);
	await follower.untilReceived('podApplied shop/cart-3');
	await expect.poll(podWatches).toBe(3);
	server.remove('pods', 'shop/cart-1');
	server.apply('pods', rawPod('shop', 'cart-77', 'n77'));
	await follower.untilReceived('podDeleted shop/cart-1');
	await follower.untilReceived('podApplied shop/cart-77');
	expect(follower.received.filter((what) => what.endsWith('shop/cart-1'))).toHaveLength(2);
	expect(podWatches()).toBe(3);
});

test('who wants to see how far it is gets all pods page by page, those of the first nodes in trouble first', async () => {
	for (let index = 4; index <= 40; index += 1)
		server.apply('pods', rawPod('shop', `cart-${index}`, `n${index}`));
	const progress: unknown[] = [];
	const names = Array.from({length: maxWatches + 1}, (_, index) => `n${40 - index}`);
	const {follower} = await following(names, (one) => progress.push(one), '10');
	const [first] = follower.calls;
	expect(first?.filter(({type}) => type === 'nodeApplied')).toHaveLength(3);
	expect(first?.some((one) => one.type === 'podApplied' && one.pod.name === 'cart-40')).toBe(true);
	await expect
		.poll(() => progress)
		.toEqual([{read: 10, about: 40}, {read: 20, about: 40}, {read: 30, about: 40}, undefined]);
	for (let index = 1; index <= 40; index += 1)
		expect(follower.received).toContain(`podApplied shop/cart-${index}`);
	expect(follower.received.some((what) => what.startsWith('podDeleted'))).toBe(false);
	await expect.poll(podWatches).toBe(maxWatches + 1);
});

/** Watches all pods, of more nodes than have their own watches, and reports the progress. */
const followingAll = (onProgress: NonNullable<Selection['onProgress']>) => {
	for (let index = 4; index <= 40; index += 1)
		server.apply('pods', rawPod('shop', `cart-${index}`, `n${index}`));
	const names = Array.from({length: maxWatches + 1}, (_, index) => `n${40 - index}`);
	return following(names, onProgress, '10');
};

/** A pod that replaces another of its name, as in a StatefulSet. */
const replaced = (uid: string) => {
	const {metadata, ...rest} = rawPod('shop', 'cart-1', 'n1');
	return {...rest, metadata: {...metadata, uid}};
};

/** The latest version of a pod that the follower received. */
const lastTold = (follower: Follower, name: string) =>
	follower.calls.flat().findLast((one) => one.type === 'podApplied' && one.pod.name === name);

test('a list after the first one tells all pods anew, also those that the pages of the first one told', async () => {
	const progress: unknown[] = [];
	const {follower} = await followingAll((one) => progress.push(one));
	await expect.poll(() => progress.at(-1)).toBe(undefined);
	await expect.poll(podWatches).toBe(maxWatches + 1);
	server.apply('pods', replaced('another'));
	await follower.until(() => uidOf(lastTold(follower, 'cart-1')) === 'another');
	const allow = server.intercept(({resource, url}, response) => {
		if (resource !== 'pods' || !url.searchParams.has('watch')) return false;
		response.destroy();
		return true;
	});
	server.cutWatches();
	server.apply('pods', replaced('a third'));
	server.compact();
	allow();
	await follower.until(() => uidOf(lastTold(follower, 'cart-1')) === 'a third');
});

test('a first list that fails midway tells in its second attempt what changed meanwhile, wherever its pages end', async () => {
	const failing = server.intercept(({resource, url}, response) => {
		if (resource !== 'pods' || !url.searchParams.get('continue')?.endsWith(':20')) return false;
		// The pages so far become old, and one of their pods is replaced.
		server.remove('pods', 'shop/cart-1');
		server.apply('pods', replaced('another'));
		failing();
		answerStatus(response, 500, 'etcdserver: leader changed');
		return true;
	});
	const {follower} = await followingAll(() => undefined);
	await follower.until(() => uidOf(lastTold(follower, 'cart-1')) === 'another');
});

const uidOf = (told: ReturnType<typeof lastTold>) => (told?.type === 'podApplied' ? told.pod.uid : undefined);

test('a pod that is gone is not told again by pages of all pods that are older', async () => {
	const second = Promise.withResolvers<() => void>();
	const holding = server.intercept((asked, response) => {
		if (asked.resource !== 'pods' || !asked.url.searchParams.has('continue')) return false;
		holding();
		second.resolve(() => server.answerList('pods', asked, response));
		return true;
	});
	const progress: unknown[] = [];
	const {follower} = await followingAll((one) => progress.push(one));
	const send = await second.promise;
	await follower.untilReceived('podApplied shop/cart-40');
	server.apply('pods', rawPod('shop', 'cart-new', 'n40'));
	server.remove('pods', 'shop/cart-40');
	await follower.untilReceived('podDeleted shop/cart-40');
	send();
	await expect.poll(() => progress.at(-1)).toBe(undefined);
	server.apply('pods', rawPod('shop', 'cart-last', 'n1'));
	await follower.untilReceived('podApplied shop/cart-last');
	const toldOf = (name: string) => follower.received.filter((what) => what.endsWith(`shop/${name}`));
	expect(toldOf('cart-40')).toEqual(['podApplied shop/cart-40', 'podDeleted shop/cart-40']);
	expect(toldOf('cart-new')).toEqual(['podApplied shop/cart-new']);
});
