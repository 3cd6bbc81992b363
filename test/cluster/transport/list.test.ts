import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {resolveAccess} from '../../../src/cluster/access/access.ts';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import {nextInHead, pageOfProtobuf} from '../../../src/cluster/codec/page.ts';
import {podMessage} from '../../../src/cluster/codec/wire/objects.ts';
import {list} from '../../../src/cluster/transport/list.ts';
import {podsOf} from '../../../src/cluster/transport/resource.ts';
import {openTransport} from '../../../src/cluster/transport/transport.ts';
import {FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

let stack: AsyncDisposableStack;
beforeEach(() => {
	stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

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
	const environment = bareEnvironment({});
	const access = await resolveAccess({server: server.url}, environment);
	const transport = await openTransport(access, environment, instantTiming());
	stack.defer(() => transport.close());
	const listing = list(transport, podsOf(undefined, new Decoder()), instantTiming());
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
	const environment = bareEnvironment({});
	const access = await resolveAccess({server: server.url}, environment);
	const transport = await openTransport(access, environment, instantTiming());
	stack.defer(() => transport.close());
	const listing = list(transport, podsOf(undefined, new Decoder()), instantTiming());
	listing.catch(() => undefined);
	while (open.length < 2) await new Promise(setImmediate);
	const [first, second] = open;
	if (!first || !second) throw new Error('nothing was asked');
	const closed = once(second, 'close');
	first.end('not JSON');
	await expect(listing).rejects.toThrow(/does not answer like a Kubernetes API server/);
	await closed;
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

test('of any first bytes of a page it is known what the next one is called, or nothing', () => {
	fc.assert(
		fc.property(fc.base64String(), fc.nat(3000), fc.nat(3000), (next, length, cut) => {
			const whole = pageInProtobuf(next, length);
			expect(pageOfProtobuf(whole, podMessage)?.next).toBe(next);
			expect([next, undefined]).toContain(nextInHead(whole.subarray(0, cut), true));
			expect(nextInHead(whole, true)).toBe(next);
			const json = Buffer.from(`${head(next)}${'{},'.repeat(length)}{}]}`);
			expect([next, undefined]).toContain(nextInHead(json.subarray(0, cut), false));
			expect(nextInHead(json, false)).toBe(next);
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
	expect(nextInHead(Buffer.from(text), false)).toBeUndefined();
	expect(nextInHead(Buffer.from(text), true)).toBeUndefined();
});
