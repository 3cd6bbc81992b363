import {once} from 'node:events';
import {
	createSecureServer,
	type Http2SecureServer,
	type ServerHttp2Session,
	type ServerHttp2Stream,
} from 'node:http2';
import {type AddressInfo, connect, createServer as createTcpServer, type Socket} from 'node:net';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';
import {testTransport} from '../support/testTransport.ts';
import {pem, tlsFile} from '../support/tlsFiles.ts';

let stack: AsyncDisposableStack;
let server: Http2SecureServer;
const [sessions, watches, versions]: [Set<ServerHttp2Session>, ServerHttp2Stream[], string[]] = [
	new Set(),
	[],
	[],
];

beforeEach(async () => {
	stack = new AsyncDisposableStack();
	for (const list of [watches, versions]) list.length = 0;
	sessions.clear();
	server = createSecureServer(
		{cert: pem('server.pem'), key: pem('server-key.pem'), allowHTTP1: true},
		(request, response) => {
			versions.push(request.httpVersion);
			if (!request.url?.includes('watch')) {
				response.end('{"kind":"NodeList"}');
				return;
			}
			response.writeHead(200);
			response.write('{"type":"BOOKMARK"}\n');
			if (request.httpVersion === '2.0') watches.push(response.stream);
		},
	);
	server.on('session', (session) => sessions.add(session));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	stack.defer(() => {
		for (const session of sessions) session.destroy();
		server.close();
	});
});
afterEach(() => stack.disposeAsync());

async function open(
	env: Record<string, string> = {},
	{port} = server.address() as AddressInfo,
	timing = instantTiming(),
) {
	const options = {server: `https://127.0.0.1:${port}`, certificateAuthority: tlsFile('ca.pem')};
	const transport = await testTransport(options, bareEnvironment({env}), timing);
	stack.defer(() => transport.close());
	return transport;
}

test('many watches and lists share one connection', async () => {
	const transport = await open();
	const {signal} = new AbortController();
	const streams = await Promise.all(
		Array.from({length: 50}, () => transport.stream('/watch', {}, 60_000, signal)),
	);
	for (const stream of streams) stream.on('error', () => undefined);
	for (let i = 0; i < 5; i++) expect(await transport.json('/nodes')).toEqual({kind: 'NodeList'});
	expect(new Set(versions)).toEqual(new Set(['2.0']));
	// A second connection is possible if requests come before the first one is open.
	expect(sessions.size).toBeLessThanOrEqual(2);
});

test('a watch that is given up ends alone', async () => {
	const transport = await open();
	const [one, other] = [new AbortController(), new AbortController()];
	const first = await transport.stream('/watch', {}, 60_000, one.signal);
	const second = await transport.stream('/watch', {}, 60_000, other.signal);
	first.on('error', () => undefined);
	second.on('error', () => undefined).setEncoding('utf8');
	one.abort();
	await new Promise((resolve) => first.once('close', resolve));
	await once(second, 'data');
	for (const watch of watches) if (!watch.destroyed) watch.write('more');
	expect(String(await once(second, 'data'))).toBe('more');
});

test('a connection that breaks ends its watches, and the next request makes another', async () => {
	const transport = await open();
	const stream = await transport.stream('/watch', {}, 60_000, new AbortController().signal);
	const failed = once(stream, 'error');
	stream.resume();
	for (const session of sessions) session.destroy();
	await failed;
	expect(await transport.json('/nodes')).toEqual({kind: 'NodeList'});
	expect(sessions.size).toBe(2);
});

test('a server that says goodbye is left without a word', async () => {
	const transport = await open();
	await transport.json('/nodes');
	for (const session of sessions) session.close();
	expect(await transport.json('/nodes')).toEqual({kind: 'NodeList'});
});

test('a watch that is silent for too long fails, and what follows takes another connection', async () => {
	const transport = await open();
	const stream = await transport.stream('/watch', {}, 50, new AbortController().signal);
	stream.resume();
	const [error] = (await once(stream, 'error')) as [{code: string}];
	expect(error.code).toBe('UND_ERR_BODY_TIMEOUT');
	expect(await transport.json('/nodes')).toEqual({kind: 'NodeList'});
	expect(sessions.size).toBe(2);
});

test('a connection on which nothing gets through any more costs one request', async () => {
	const pairs: Socket[] = [];
	const way = createTcpServer((socket) => {
		const onward = connect((server.address() as AddressInfo).port, '127.0.0.1');
		pairs.push(socket, onward);
		socket
			.on('error', () => undefined)
			.pipe(onward.on('error', () => undefined))
			.pipe(socket);
	}).listen(0, '127.0.0.1');
	await once(way, 'listening');
	stack.defer(() => {
		for (const socket of pairs) socket.destroy();
		way.close();
	});
	const transport = await open({}, way.address() as AddressInfo, instantTiming({answerTimeout: 300}));
	await transport.json('/nodes');
	// As with a firewall that dropped the connection's state: neither side is notified.
	for (const socket of pairs) socket.unpipe().pause();
	await expect(transport.json('/nodes')).rejects.toThrow('did not answer in time');
	expect(await transport.json('/nodes')).toEqual({kind: 'NodeList'});
});

test('DISABLE_HTTP2 keeps to HTTP/1.1, as with all clients of Kubernetes', async () => {
	await (await open({DISABLE_HTTP2: '1'})).json('/nodes');
	expect(versions).toEqual(['1.1']);
});
