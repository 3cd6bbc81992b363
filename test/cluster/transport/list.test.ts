import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import {nextInHead, pageOfProtobuf} from '../../../src/cluster/codec/page.ts';
import {podMessage} from '../../../src/cluster/codec/wire/objects.ts';
import {list, mostWatched} from '../../../src/cluster/transport/list.ts';
import {nodes, podsOf} from '../../../src/cluster/transport/resource.ts';
import {answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';
import {testTransport} from '../../support/testTransport.ts';

let stack: AsyncDisposableStack;
beforeEach(() => {
	stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

async function transportTo({url}: FakeApiServer) {
	const transport = await testTransport({server: url});
	stack.defer(() => transport.close());
	return transport;
}

const pod = (name: string) => ({metadata: {name, namespace: 'shop'}});
const head = (next: string) =>
	`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"7","continue":"${next}"},"items":[`;

test('the next page is asked for while one is on its way, and the one after that only once it is read', async () => {
	const server = stack.use(await FakeApiServer.start());
	const open: ServerResponse[] = [];
	server.intercept(({resource}, response) => {
		if (resource !== 'pods') return false;
		open.push(response);
		response.writeHead(200, {'content-type': 'application/json'});
		response.write(head(open.length < 3 ? `page-${open.length}` : ''));
		return true;
	});
	const transport = await transportTo(server);
	const listing = list(transport, podsOf(undefined, new Decoder()));
	const arrivals = async (count: number) => {
		while (open.length < count) await new Promise(setImmediate);
	};
	await arrivals(2);
	// A request that was sent too early would arrive before the server answers this one.
	await transport.json('/version');
	expect(open).toHaveLength(2);
	open[0]?.end(`${JSON.stringify(pod('a'))}]}`);
	await arrivals(3);
	open[1]?.end(`${JSON.stringify(pod('b'))}]}`);
	open[2]?.end(`${JSON.stringify(pod('c'))}]}`);
	const {objects, resourceVersion} = await listing;
	expect([objects.map(({name}) => name), resourceVersion]).toEqual([['a', 'b', 'c'], '7']);
	const pages = server.asked.filter(({resource}) => resource === 'pods');
	expect(pages.map(({url}) => url.searchParams.get('continue'))).toEqual([null, 'page-1', 'page-2']);
});

test.for(['nodes', 'pods'] as const)(
	'%s that are all as large as etcd allows are not read for ever',
	async (kind) => {
		const server = stack.use(await FakeApiServer.start());
		const large = {metadata: {name: 'a', namespace: 'shop', annotations: {a: 'x'.repeat(2 ** 20)}}};
		const items = JSON.stringify(Array(8).fill(large)).slice(1);
		let pages = 0;
		server.intercept(({resource}, response) => {
			if (resource !== kind) return false;
			pages += 1;
			response.writeHead(200, {'content-type': 'application/json'}).end(`${head(String(pages))}${items}}`);
			return true;
		});
		const transport = await transportTo(server);
		const resource = kind === 'pods' ? podsOf(undefined, new Decoder()) : nodes(new Decoder());
		await expect(list<unknown>(transport, resource)).rejects.toThrow(
			`the list at /api/v1/${kind} is too large: 72 MiB, and 64 objects until then`,
		);
		expect(pages).toBeLessThan(12);
	},
);

test('a page of more objects than any has is not decoded to its end', async () => {
	const server = stack.use(await FakeApiServer.start());
	server.intercept(({resource}, response) => {
		if (resource !== 'pods') return false;
		answerPage(response, '', 100_001);
		return true;
	});
	await expect(list(await transportTo(server), podsOf(undefined, new Decoder()))).rejects.toThrow(
		'the list at /api/v1/pods is too large: a page has more than 100000 objects',
	);
});

test('more nodes than any cluster has are not read on', async () => {
	const server = stack.use(await FakeApiServer.start());
	let pages = 0;
	server.intercept(({resource}, response) => {
		if (resource !== 'nodes') return false;
		pages += 1;
		answerPage(response, String(pages), 60_000);
		return true;
	});
	await expect(list(await transportTo(server), nodes(new Decoder()))).rejects.toThrow(
		'the list at /api/v1/nodes has no end: page follows page',
	);
	expect(pages).toBeLessThan(5);
});

test('what grows with pods may be as numerous as they are', async () => {
	const server = stack.use(await FakeApiServer.start());
	const path = '/apis/apps/v1/replicasets';
	server.intercept(({url}, response) => {
		if (url.pathname !== path) return false;
		const page = Number(url.searchParams.get('continue') ?? 1);
		answerPage(response, page < 3 ? String(page + 1) : '', 60_000);
		return true;
	});
	const {objects} = await list(await transportTo(server), {
		path,
		query: {},
		message: podMessage,
		decode: () => 1,
	});
	expect(objects).toHaveLength(180_000);
});

test.for([
	{path: '/api/v1/nodes', most: 5_000},
	{path: '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases', most: 5_000},
	{path: '/api/v1/namespaces/shop/pods', most: 500_000},
	{path: '/apis/resource.k8s.io/v1/resourceclaims', most: 500_000},
])('a watch at $path after an empty list may bring $most objects', ({path, most}) => {
	expect(mostWatched(path, 0)).toBe(most);
});

test('a server that asks to wait for a day is not asked again, but quoted', async () => {
	const server = stack.use(await FakeApiServer.start());
	server.intercept((_, response) => {
		response.setHeader('retry-after', '100000');
		answerStatus(response, 429, 'too many requests');
		return true;
	});
	await expect(list(await transportTo(server), nodes(new Decoder()))).rejects.toThrow(
		'the server answered 429 to GET /api/v1/nodes: too many requests; it asks to wait for 1d3h',
	);
	expect(server.asked).toHaveLength(1);
});

test('while a list waits, as its server asked, that answer is told', async () => {
	const server = stack.use(await FakeApiServer.start());
	let count = 0;
	server.intercept((_, response) => {
		count += 1;
		if (count > 1) return false;
		response.setHeader('retry-after', '30');
		answerStatus(response, 429, 'too many requests');
		return true;
	});
	const told: (string | undefined)[] = [];
	const sleep = async () => {
		await new Promise(setImmediate);
		told.push(transport.traffic.throttle?.message);
	};
	const transport = await testTransport({server: server.url}, bareEnvironment(), instantTiming({sleep}));
	stack.defer(() => transport.close());
	await list(transport, nodes(new Decoder()));
	expect(told).toEqual([expect.stringContaining('429 to GET /api/v1/nodes: too many requests')]);
	expect(transport.traffic.throttle).toBeUndefined();
});

test('a page that was asked for early is let go of where the one before it fails', async () => {
	const server = stack.use(await FakeApiServer.start());
	const open: ServerResponse[] = [];
	server.intercept(({resource}, response) => {
		if (resource !== 'pods') return false;
		open.push(response);
		response.writeHead(200, {'content-type': 'application/json'});
		response.write(head('page-1'));
		return true;
	});
	const listing = list(await transportTo(server), podsOf(undefined, new Decoder()));
	listing.catch(() => undefined);
	while (open.length < 2) await new Promise(setImmediate);
	const [first, second] = open;
	if (!first || !second) throw new Error('nothing was asked');
	const closed = once(second, 'close');
	first.end('not JSON');
	await expect(listing).rejects.toThrow(/does not answer like a Kubernetes API server/);
	await closed;
});

test('objects that are too large for a page of their number come in smaller pages, each once and in order', async () => {
	const server = stack.use(await FakeApiServer.start());
	const value = 'x'.repeat(2 ** 20);
	const names = Array.from({length: 40}, (_, index) => `pod-${index}`);
	for (const name of names) server.apply('pods', {metadata: {name, namespace: 'shop', annotations: {value}}});
	const {objects} = await list(await transportTo(server), podsOf(undefined, new Decoder()));
	expect(objects.map(({name}) => name)).toEqual(names);
	const limits = server.asked.map(({url}) => url.searchParams.get('limit'));
	expect(new Set(limits)).toEqual(new Set(['500', '50', '5']));
});

const part = (writer: BinaryWriter, number: number, bytes: Uint8Array) =>
	writer.tag(number, WireType.LengthDelimited).bytes(bytes);

/** A list in protobuf as the API server encodes it, with opaque objects. */
function pageInProtobuf(next: string, length: number): Buffer {
	const metadata = new BinaryWriter().tag(2, WireType.LengthDelimited).string('7');
	const list = part(new BinaryWriter(), 1, metadata.tag(3, WireType.LengthDelimited).string(next).finish());
	for (let index = 0; index < length; index++) part(list, 2, new Uint8Array());
	const typeMeta = new BinaryWriter().tag(2, WireType.LengthDelimited).string('PodList').finish();
	const envelope = part(part(new BinaryWriter(), 1, typeMeta), 2, list.finish());
	return Buffer.concat([Buffer.from('k8s\0'), envelope.finish()]);
}

function answerPage(response: ServerResponse, next: string, length: number): void {
	const type = {'content-type': 'application/vnd.kubernetes.protobuf'};
	response.writeHead(200, type).end(pageInProtobuf(next, length));
}

test('of any first bytes of a page it is known what the next one is called, or nothing', () => {
	fc.assert(
		fc.property(fc.base64String(), fc.nat(3000), fc.nat(3000), (next, length, cut) => {
			const whole = pageInProtobuf(next, length);
			expect(pageOfProtobuf(whole, podMessage)?.next).toBe(next);
			expect([next, undefined]).toContain(nextInHead(whole.subarray(0, cut)));
			expect(nextInHead(whole)).toBe(next);
			const json = Buffer.from(`${head(next)}${'{},'.repeat(length)}{}]}`);
			expect([next, undefined]).toContain(nextInHead(json.subarray(0, cut)));
			expect(nextInHead(json)).toBe(next);
		}),
	);
});

test.for([
	{
		name: 'objects before the rest',
		text: '{"items":[{"metadata":{"continue":"x"}}],"metadata":{"continue":"y"}}',
	},
	{name: 'something that is no list', text: '<html>"items"</html>'},
	{name: 'a list without a word of its own', text: '{"kind":"List","items":['},
])('$name tells nothing of a next page in advance', ({text}) => {
	expect(nextInHead(Buffer.from(text))).toBeUndefined();
});
