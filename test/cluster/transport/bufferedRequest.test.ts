import {once} from 'node:events';
import {createServer, type ServerResponse} from 'node:http';
import {type AddressInfo, createServer as createTcpServer} from 'node:net';
import {Agent, ProxyAgent} from 'undici';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {AnswerBody} from '../../../src/cluster/transport/answerBody.ts';
import {bufferedRequest} from '../../../src/cluster/transport/bufferedRequest.ts';

let stack: AsyncDisposableStack;
let origin: string;
let asked: string[];
let respond: (response: ServerResponse) => void;

beforeEach(async () => {
	stack = new AsyncDisposableStack();
	asked = [];
	const server = createServer(({url = ''}, response) => {
		asked.push(url);
		respond(response);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	stack.defer(() => {
		server.closeAllConnections();
		server.close();
	});
});
afterEach(() => stack.disposeAsync());

const agent = () => {
	const one = new Agent({connections: 1});
	stack.defer(() => one.destroy());
	return one;
};
const get = (path: string) => ({origin, path, method: 'GET'}) as const;
const whole = (isGzip: boolean) => new AnswerBody(isGzip, 'object');
const never = () => new AbortController().signal;

test('an answer is there with its head, after what a server says on the way; its body comes later', async () => {
	const heads = Promise.withResolvers<ServerResponse>();
	respond = (response) => {
		response.writeEarlyHints({link: '</style>; rel=preload'});
		response.writeHead(200, {'content-type': 'text/plain'}).write('first ');
		heads.resolve(response);
	};
	const {statusCode, headers, body} = await bufferedRequest(agent(), get('/a'), whole, never());
	expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain']);
	(await heads.promise).end('last');
	expect(String((await body.read()).bytes)).toBe('first last');
});

test('what is aborted in mid body fails with the reason, and so does what was not answered or not sent yet', async () => {
	respond = (response) => response.writeHead(200).write('half');
	const [dispatcher, end, why] = [agent(), new AbortController(), new Error('enough')];
	const {body} = await bufferedRequest(dispatcher, get('/a'), whole, end.signal);
	// The first request occupies the only connection.
	const waiting = bufferedRequest(dispatcher, get('/b'), whole, end.signal);
	end.abort(why);
	await expect(body.read()).rejects.toBe(why);
	await expect(waiting).rejects.toBe(why);
	await expect(bufferedRequest(dispatcher, get('/c'), whole, end.signal)).rejects.toBe(why);
	respond = (response) => response.end('well');
	const later = await bufferedRequest(dispatcher, get('/d'), whole, never());
	expect(String((await later.body.read()).bytes)).toBe('well');
	expect(asked).toEqual(['/a', '/d']);
});

test('a connection that breaks fails the answer that was on its way, and the one that was awaited', async () => {
	respond = (response) => response.writeHead(200).write('half');
	const {body} = await bufferedRequest(agent(), get('/a'), whole, never());
	const failures: unknown[] = [];
	body.once('error', (error) => failures.push(error));
	respond = (response) => response.destroy();
	await expect(bufferedRequest(agent(), get('/b'), whole, never())).rejects.toThrow();
	await stack.disposeAsync();
	await expect(body.read()).rejects.toThrow();
	expect(failures).toHaveLength(1);
});

test('informational responses without an end are no answer, nor is the silence of a proxy', async () => {
	let open: ServerResponse | undefined;
	respond = (response) => {
		open = response;
		const more = () => {
			if (!response.destroyed)
				response.writeEarlyHints({link: '</a>; rel=preload'}, () => setImmediate(more));
		};
		more();
	};
	const late = {...get('/a'), headersTimeout: 100};
	await expect(bufferedRequest(agent(), late, whole, never())).rejects.toThrow('no answer in time');
	while (!open?.destroyed) await new Promise(setImmediate);
	const proxy = createTcpServer().listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	stack.defer(() => void proxy.close());
	const through = new ProxyAgent({
		...{uri: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, proxyTunnel: true},
	});
	stack.defer(() => through.destroy());
	await expect(bufferedRequest(through, late, whole, never())).rejects.toThrow('no answer in time');
});

test('nothing listens to a signal once its answers are there', async () => {
	respond = (response) => response.end('well');
	const {signal} = new AbortController();
	let listeners = 0;
	const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
	signal.addEventListener = (...args: Parameters<typeof add>) => {
		listeners += 1;
		add(...args);
	};
	signal.removeEventListener = (...args: Parameters<typeof remove>) => {
		listeners -= 1;
		remove(...args);
	};
	const dispatcher = agent();
	for (const path of ['/a', '/b'])
		await (await bufferedRequest(dispatcher, get(path), whole, signal)).body.read();
	expect(listeners).toBe(0);
});
