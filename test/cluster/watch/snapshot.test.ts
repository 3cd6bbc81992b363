import type {ServerResponse} from 'node:http';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import type {NodeChooser, Selection} from '../../../src/cluster/transport/selection.ts';
import {hidesPods} from '../../../src/core/model/problem.ts';
import {answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {rawEvent, rawEviction, rawLease, rawNode, rawPod} from '../../support/rawObjects.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
	for (const name of ['n1', 'n2']) {
		server.apply('nodes', rawNode(name));
		server.apply('leases', rawLease('kube-node-lease', name));
	}
	server.apply('leases', rawLease('kube-system', 'kube-controller-manager'));
	server.apply('leases', rawLease('kube-system', 'kube-scheduler'));
	server.apply('pods', rawPod('shop', 'cart-0', 'n1'));
	server.apply('pods', rawPod('shop', 'cart-1', 'n2'));
	server.apply('pods', rawPod('bank', 'vault-0', 'n2'));
});
afterEach(() => server[Symbol.asyncDispose]());

const open = () => connect({server: server.url}, bareEnvironment(), instantTiming());
const all: Selection = {pods: {type: 'all'}};

async function snapshot(selection = all) {
	const cluster = await open();
	try {
		return await cluster.snapshot(selection);
	} finally {
		await cluster.close();
	}
}

test('a snapshot has the nodes, their leases, the leader lease and the pods', async () => {
	const seen = await snapshot();
	expect(seen).toMatchObject({source: 'cluster', kubernetesVersion: 'v1.36.3', problems: []});
	expect(seen.nodes.map(({name}) => name)).toEqual(['n1', 'n2']);
	expect(seen.leases?.map(({name}) => name)).toEqual(['n1', 'n2', 'kube-controller-manager']);
	expect(seen.pods.map(({name}) => name)).toEqual(['cart-0', 'cart-1', 'vault-0']);
	expect(Math.abs(seen.observedAt - Date.now())).toBeLessThan(10_000);
});

test.for<{name: string; selection: Selection; want: string[]}>([
	{
		name: 'the pods of one namespace',
		selection: {pods: {type: 'namespace', namespace: 'shop'}},
		want: ['cart-0', 'cart-1'],
	},
	{
		name: 'the pods of some nodes',
		selection: {pods: {type: 'nodes', nodes: ['n2', 'gone']}},
		want: ['cart-1', 'vault-0'],
	},
	{name: 'the pods of no nodes', selection: {pods: {type: 'nodes', nodes: []}}, want: []},
])('$name', async ({selection, want}) => {
	expect((await snapshot(selection)).pods.map(({name}) => name)).toEqual(want);
});

/** Always selects these nodes' pods. */
const choosing = (...wanted: readonly string[]): NodeChooser => ({first: () => wanted, wanted: () => wanted});

test('the pods of the nodes that are chosen are read, and those asked for by name', async () => {
	const seen: string[] = [];
	const chooser: NodeChooser = {
		first: (observations) => {
			for (const {type} of observations) seen.push(type);
			return ['n1'];
		},
		wanted: () => [],
	};
	const pods = {type: 'chosen', chooser, named: ['vault-0', 'gone']} as const;
	const found = await snapshot({pods});
	expect(found.pods.map(({name}) => name).toSorted()).toEqual(['cart-0', 'vault-0']);
	expect(seen).toEqual(['nodeApplied', 'nodeApplied', 'leaseApplied', 'leaseApplied', 'leaseApplied']);
	const selectors = server.asked.map(({url}) => url.searchParams.get('fieldSelector')).filter(Boolean);
	expect(selectors).toEqual(
		expect.arrayContaining(['spec.nodeName=n1', 'metadata.name=vault-0', 'metadata.name=gone']),
	);
});

test('where most nodes are chosen, all pods are one list', async () => {
	await snapshot({pods: {type: 'chosen', chooser: choosing('n1', 'n2')}});
	const asked = server.asked.filter(({resource}) => resource === 'pods');
	expect(asked.map(({url}) => url.searchParams.get('fieldSelector'))).toEqual([null]);
});

test('where there are few pods, all are one list, and those of other nodes are left out', async () => {
	const names = Array.from({length: 100}, (_, index) => `few-${index}`);
	for (const name of names) server.apply('nodes', rawNode(name));
	const {pods} = await snapshot({pods: {type: 'chosen', chooser: choosing('n1', ...names.slice(0, 30))}});
	expect(pods.map(({name}) => name)).toEqual(['cart-0']);
	const asked = server.asked.filter(({resource}) => resource === 'pods');
	const queries = asked.map(({url: {searchParams}}) => [
		searchParams.get('limit'),
		searchParams.get('fieldSelector'),
	]);
	expect(queries).toEqual([
		['1', null],
		['500', null],
	]);
});

test('where no node is chosen, no pod is asked for', async () => {
	expect((await snapshot({pods: {type: 'chosen', chooser: choosing()}})).pods).toEqual([]);
	expect(server.asked.some(({resource}) => resource === 'pods')).toBe(false);
});

test('a snapshot is of the instant at which nodes and leases were there, however long the pods take', async () => {
	let clock = 1_000_000;
	server.clock = () => clock;
	server.intercept(({url}) => {
		if (url.searchParams.get('fieldSelector') === 'spec.nodeName=n1') clock += 60_000;
		return false;
	});
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming({now: () => clock}));
	const {observedAt} = await cluster.snapshot({pods: {type: 'nodes', nodes: ['n1']}});
	await cluster.close();
	expect(observedAt).toBeLessThanOrEqual(1_060_000);
	const later = await connect({server: server.url}, bareEnvironment(), instantTiming({now: () => clock}));
	const before = clock;
	const chosen = await later.snapshot({pods: {type: 'chosen', chooser: choosing('n1')}});
	await later.close();
	expect(chosen.observedAt).toBe(before);
	expect(clock).toBe(before + 60_000);
});

test('a snapshot is of the instant at which the last list began to arrive, however long its other pages take', async () => {
	let clock = 1_000_000;
	server.clock = () => clock;
	const second = Promise.withResolvers<ServerResponse>();
	const leaseList = (name: string, next: string) =>
		JSON.stringify({
			...{kind: 'LeaseList', apiVersion: 'coordination.k8s.io/v1'},
			metadata: {resourceVersion: '7', continue: next},
			items: [rawLease('kube-node-lease', name)],
		});
	server.intercept(({url}, response) => {
		if (!url.pathname.includes('kube-node-lease')) return false;
		response.writeHead(200, {'content-type': 'application/json'});
		if (url.searchParams.has('continue')) second.resolve(response);
		else response.end(leaseList('n1', 'page-2'));
		return true;
	});
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming({now: () => clock}));
	const reading = cluster.snapshot({pods: {type: 'nodes', nodes: []}});
	const response = await second.promise;
	// When the server has answered some more requests, all other lists have arrived.
	for (let more = 0; more < 5; more++) await cluster.version();
	clock += 30_000;
	response.end(leaseList('n2', ''));
	const {observedAt, leases} = await reading;
	await cluster.close();
	expect(leases?.map(({name}) => name)).toEqual(['n1', 'n2', 'kube-controller-manager']);
	expect(observedAt).toBe(clock - 30_000);
});

/** Lists a cluster at 00:00:20, whose server refuses one list for half a minute. */
async function snapshotWithSlow(isSlow: (url: URL) => boolean) {
	const start = Date.UTC(2026, 0, 1, 0, 0, 20);
	let clock = start;
	server.clock = () => clock;
	let refusals = 0;
	server.intercept(({url}, response) => {
		if (!isSlow(url) || refusals++ > 0) return false;
		response.setHeader('retry-after', '30');
		answerStatus(response, 429, 'too many requests');
		return true;
	});
	const others = Promise.withResolvers<void>();
	const sleep = async () => {
		await others.promise;
		clock += 30_000;
	};
	const timing = {...instantTiming({now: () => clock}), sleep};
	const cluster = await connect({server: server.url}, bareEnvironment(), timing);
	const reading = cluster.snapshot({pods: {type: 'nodes', nodes: []}});
	// When the server has answered some more requests, all other lists have arrived.
	for (let more = 0; more < 5; more++) await cluster.version();
	others.resolve();
	const {observedAt, events, leaderLease} = await reading;
	await cluster.close();
	expect(clock).toBe(start + 30_000);
	return {age: observedAt - start, events, leaderLease};
}

test('a list of events that is refused for a while does not age the leases, and what it tells of later is left out', async () => {
	for (const [node, at] of [
		['n1', '2026-01-01T00:00:10Z'],
		['n2', '2026-01-01T00:00:30Z'],
	] as const) {
		const raw = rawEvent(node, 'NodeNotReady');
		const metadata = {...raw.metadata, creationTimestamp: at};
		server.apply('events', {...raw, metadata, firstTimestamp: at, lastTimestamp: at});
	}
	const {age, events} = await snapshotWithSlow(({pathname}) => pathname.endsWith('/events'));
	expect(age).toBe(0);
	expect(events?.map(({about}) => about)).toEqual(['n1']);
});

test.for([
	{name: 'that is only renewed does not age the leases', acquireTime: '2026-01-01T00:00:01Z', want: 0},
	{name: 'of controllers that took over since dates them', acquireTime: '2026-01-01T00:00:40Z', want: 30_000},
])('a leader lease that comes late and $name', async ({acquireTime, want}) => {
	const raw = rawLease('kube-system', 'kube-controller-manager', '2026-01-01T00:00:49.000000Z');
	server.apply('leases', {...raw, spec: {...(raw['spec'] as object), acquireTime}});
	const {age, leaderLease} = await snapshotWithSlow(
		({searchParams}) => searchParams.get('fieldSelector') === 'metadata.name=kube-controller-manager',
	);
	expect(leaderLease?.acquireTime).toBe(Date.parse(acquireTime));
	expect(age).toBe(want);
});

test('a label selector is left to the server', async () => {
	await snapshot({...all, labelSelector: 'app in (a,b)'});
	const asked = server.asked.find(({resource}) => resource === 'pods');
	expect(asked?.url.searchParams.get('labelSelector')).toBe('app in (a,b)');
});

test('a long list is read in pages of 500', async () => {
	for (let i = 0; i < 1201; i++) server.apply('pods', rawPod('many', `p-${i}`, 'n1'));
	const {pods} = await snapshot();
	expect(new Set(pods.map(({name}) => name)).size).toBe(1204);
	const pages = server.asked.filter(({resource}) => resource === 'pods');
	expect(pages.map(({url}) => url.searchParams.get('limit'))).toEqual(['500', '500', '500']);
});

test('a list that expires between two pages is begun anew, once', async () => {
	for (let i = 0; i < 600; i++) server.apply('pods', rawPod('many', `p-${i}`, 'n1'));
	let expiries = 0;
	server.intercept(({resource, url}) => {
		if (resource === 'pods' && url.searchParams.has('continue') && expiries++ === 0) server.compact();
		return false;
	});
	const {pods, problems} = await snapshot();
	expect(new Set(pods.map(({name}) => name)).size).toBe(603);
	expect([pods.length, problems]).toEqual([603, []]);
});

test.for([
	{name: 'leases', path: 'kube-node-lease', reason: 'LeasesForbidden'},
	{name: 'the leader lease', path: 'kube-system', reason: 'LeaderLeaseForbidden'},
	{name: 'pods', path: '/pods', reason: 'PodsForbidden'},
])('forbidden: $name are a problem, not the end', async ({path, reason}) => {
	server.refuse(403, 'not for you', ({url}) => url.pathname.includes(path));
	const seen = await snapshot();
	expect(seen.problems).toMatchObject([{reason, message: expect.stringMatching(/^not for you: ./)}]);
	expect(seen.problems.some(hidesPods)).toBe(reason === 'PodsForbidden');
	expect(seen.nodes).toHaveLength(2);
});

test('what the controllers report is read, and nothing that others do', async () => {
	server.apply('events', rawEvent('n1', 'NodeNotReady'));
	server.apply('events', rawEvent('n2', 'NodeNotReady', 'kubelet'));
	server.apply('events', rawEviction('shop', 'cart-0'));
	server.apply('events', rawEviction('bank', 'vault-0'));
	const {events} = await snapshot();
	expect(events?.map(({reason, about}) => `${reason} ${about}`)).toEqual([
		'NodeNotReady n1',
		'MarkingForDeletion shop/cart-0',
		'MarkingForDeletion bank/vault-0',
	]);
	const ofOne = await snapshot({pods: {type: 'namespace', namespace: 'shop'}});
	expect(ofOne.events?.map(({about}) => about)).toEqual(['n1', 'shop/cart-0']);
	const ofNone = await snapshot({pods: {type: 'nodes', nodes: []}});
	expect(ofNone.events?.map(({about}) => about)).toEqual(['n1']);
});

test('forbidden events are one problem, whichever of them are', async () => {
	const allow = server.forbid('events');
	const none = await snapshot();
	expect(none.problems).toEqual([{reason: 'EventsForbidden', message: expect.stringMatching(/less narrow/)}]);
	expect(none.events).toBeUndefined();
	allow();
	server.apply('events', rawEvent('n1', 'NodeNotReady'));
	server.forbid('events', ({pathname}) => pathname === '/api/v1/events');
	const some = await snapshot();
	expect(some.problems).toHaveLength(1);
	expect(some.events).toHaveLength(1);
});

test('leases that may not be read are undefined, not empty', async () => {
	server.forbid('leases');
	expect((await snapshot()).leases).toBeUndefined();
});

test('one refusal for many nodes is one problem', async () => {
	server.forbid('pods');
	const {problems} = await snapshot({pods: {type: 'nodes', nodes: ['n1', 'n2']}});
	expect(problems.map(({reason}) => reason)).toEqual(['PodsForbidden']);
});

test('the leader lease is kept where those of the nodes may not be read', async () => {
	server.forbid('leases', ({pathname}) => pathname.includes('kube-node-lease'));
	const {leases, leaderLease} = await snapshot();
	expect(leases).toBeUndefined();
	expect(leaderLease?.name).toBe('kube-controller-manager');
});

test('whoever may only read one namespace sees its pods', async () => {
	server.refuse(403, 'not for you', ({url}) => !/^\/version$|\/namespaces\/shop\//.test(url.pathname));
	const seen = await snapshot({pods: {type: 'namespace', namespace: 'shop'}});
	expect(seen.nodes).toEqual([]);
	expect(seen.pods.map(({name}) => name)).toEqual(['cart-0', 'cart-1']);
	expect(seen.problems.map(({reason}) => reason).toSorted()).toEqual([
		'EventsForbidden',
		'LeaderLeaseForbidden',
		'LeasesForbidden',
		'NodesForbidden',
		'ResourceSlicesForbidden',
	]);
});

test('nodes that cannot be read for another reason are the end', async () => {
	server.refuse(500, 'etcd is slow', ({resource}) => resource === 'nodes');
	await expect(snapshot()).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringContaining('etcd is slow'),
	});
});

test('a server in trouble costs what it cannot answer', async () => {
	server.intercept(({resource, url}, response) => {
		if (resource !== 'leases' && !url.pathname.endsWith('/version')) return false;
		answerStatus(response, 500, 'etcd is slow');
		return true;
	});
	const seen = await snapshot();
	expect(seen.kubernetesVersion).toBeUndefined();
	expect(seen.problems.map(({reason}) => reason).toSorted()).toEqual([
		'LeaderLeaseUnreadable',
		'LeasesUnreadable',
		'VersionUnreadable',
	]);
});

test('a server that asks to be left alone for a while is asked again after it, for that page alone', async () => {
	for (let i = 0; i < 600; i++) server.apply('pods', rawPod('many', `p-${i}`, 'n1'));
	let refusals = 0;
	server.intercept(({resource, url}, response) => {
		if (resource !== 'pods' || !url.searchParams.has('continue') || refusals++ >= 2) return false;
		response.setHeader('retry-after', '7');
		answerStatus(response, 429, 'too many requests');
		return true;
	});
	const timing = instantTiming();
	const cluster = await connect({server: server.url}, bareEnvironment(), timing);
	const {pods, problems} = await cluster.snapshot(all);
	await cluster.close();
	expect([pods.length, problems]).toEqual([603, []]);
	expect(timing.waits).toEqual([7000, 7000]);
	expect(server.asked.filter(({resource}) => resource === 'pods')).toHaveLength(4);
});

test('a server that never has time is a problem in the end', async () => {
	server.refuse(429, 'too many requests', ({resource}) => resource === 'pods');
	expect((await snapshot()).problems.map(({reason}) => reason)).toEqual(['PodsUnreadable']);
	expect(server.asked.filter(({resource}) => resource === 'pods')).toHaveLength(5);
});

test.for(['{"hello": "world"}', '{"kind": "NodeList", "items": {"w1": {}}}'])(
	'an answer that is JSON but no list is an error: %s',
	async (answer) => {
		server.intercept(({resource}, response) => {
			if (resource !== 'nodes') return false;
			response.end(answer);
			return true;
		});
		await expect(snapshot()).rejects.toThrow('no list at /api/v1/nodes');
	},
);

test('the namespace of the connection is known', async () => {
	const cluster = await connect({server: server.url, namespace: 'shop'}, bareEnvironment(), instantTiming());
	expect([cluster.namespace, cluster.server, await cluster.version()]).toEqual([
		'shop',
		`${server.url}/`,
		'v1.36.3',
	]);
	await cluster.close();
});
