import {once} from 'node:events';
import {request} from 'node:http';
import {connect, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {afterEach, expect, test} from 'vitest';
import {plainAnswer} from '../../../src/shadow/http/answer.ts';
import {type Routes, type RunningServer, startServer} from '../../../src/shadow/http/server.ts';
import {createLog} from '../../../src/shadow/log.ts';

const sockets: Socket[] = [];
const running: RunningServer[] = [];
afterEach(async () => {
	for (const socket of sockets.splice(0)) socket.destroy();
	await Promise.all(running.splice(0).map(({close}) => close()));
});

const log = createLog({format: 'json', level: 'debug', now: () => 0, write: () => undefined});
const ok = () => plainAnswer(200, 'ok');

async function serve(routes: Partial<Routes>, host = '127.0.0.1'): Promise<string> {
	const server = await startServer({host, port: 0}, {pages: {}, probes: {'/livez': ok}, ...routes}, log);
	running.push(server);
	return server.url;
}

/** Opens a connection, and keeps it open. @returns resolves to the first data, or undefined at its end */
async function hold(url: string, asked = ''): Promise<{socket: Socket; first: Promise<string | undefined>}> {
	const {hostname, port, host} = new URL(url);
	const socket = connect(Number(port), hostname);
	sockets.push(socket);
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	if (asked) socket.write(`GET ${asked} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
	const ended = once(socket, 'close').then(() => undefined);
	return {socket, first: Promise.race([once(socket, 'data').then(([data]) => String(data)), ended])};
}

/** One probe as by a kubelet: over its own connection. */
async function probe(url: string): Promise<number | undefined> {
	const asked = request(`${url}/livez`, {agent: false, headers: {connection: 'close'}}).end();
	const [answer] = await once(asked, 'response');
	await text(answer);
	return answer.statusCode;
}

test('a client that holds more idle connections than there may be keeps no probe out, and loses its oldest', async () => {
	const url = await serve({});
	const held = [];
	for (let count = 0; count < 64; count += 1) held.push(await hold(url));
	expect(await probe(url)).toBe(200);
	expect(await held[0]?.first).toBeUndefined();
	for (let count = 0; count < 70; count += 1) await hold(url);
	expect([await probe(url), await probe(url)]).toEqual([200, 200]);
});

test('a connection on which something was answered a moment ago is not the oldest', async () => {
	const url = await serve({});
	const first = await hold(url);
	const second = await hold(url);
	first.socket.write(`GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n`);
	expect(await first.first).toContain('200 OK');
	for (let count = 0; count < 62; count += 1) await hold(url);
	expect(await probe(url)).toBe(200);
	expect(await second.first).toBeUndefined();
	expect(first.socket.destroyed).toBe(false);
});

test('pages that never come to an end keep no probe waiting, and are refused beyond a few', async () => {
	const never = new Promise<never>(() => undefined);
	const url = await serve({pages: {'/metrics': () => never, '/': ok}});
	const held = [];
	for (let count = 0; count < 60; count += 1) held.push(await hold(url, '/metrics'));
	expect(await probe(url)).toBe(200);
	const refused = await Promise.all(held.slice(16).map(({first}) => first));
	expect(new Set(refused.map((text) => text?.split('\r\n')[0]))).toEqual(
		new Set(['HTTP/1.1 503 Service Unavailable']),
	);
	expect(refused[0]?.toLowerCase()).toContain('retry-after: 1');
	for (let count = 0; count < 40; count += 1) await hold(url, '/metrics');
	expect(await probe(url)).toBe(200);
});

test('between two pages of many that are asked for at once, probes are answered', async () => {
	const order: string[] = [];
	let onFirstPage = () => {};
	const page = () => {
		if (order.length === 0) onFirstPage();
		order.push('page');
		return plainAnswer(200, 'ok');
	};
	const live = () => {
		order.push('probe');
		return plainAnswer(200, 'ok');
	};
	const url = await serve({pages: {'/metrics': page}, probes: {'/livez': live}});
	const prober = await hold(url);
	onFirstPage = () => prober.socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
	const scrapers = await Promise.all(Array.from({length: 15}, () => hold(url)));
	for (const {socket} of scrapers) socket.write('GET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n');
	await Promise.all([prober, ...scrapers].map(({first}) => first));
	expect(order).toHaveLength(16);
	expect(order.at(-1)).toBe('page');
});

test('a connection that is kept is closed after seconds, and says so', async () => {
	const url = await serve({});
	const {first} = await hold(url, '/livez');
	expect((await first)?.toLowerCase()).toContain('keep-alive: timeout=5');
});

const statusFor = async (url: string, host: string): Promise<number | undefined> => {
	const asked = request(url, {agent: false, headers: {host}}).end();
	const [answer] = await once(asked, 'response');
	answer.resume();
	return answer.statusCode;
};

test.for([
	'evil.example',
	'evil.example:8080',
	'localhost.evil.example',
	'127.0.0.1.evil.example',
	'[::2]:80',
])('on loopback a foreign Host is refused, of pages and probes alike: %j', async (host) => {
	const url = await serve({pages: {'/': ok}});
	expect([await statusFor(url, host), await statusFor(`${url}/livez`, host)]).toEqual([403, 403]);
});

test.for(['localhost', 'LOCALHOST:8080', '127.0.0.1:8080', '127.0.0.2', '[::1]:8080'])(
	'on loopback its own names are served: %s',
	async (host) => {
		const url = await serve({pages: {'/': ok}});
		expect(await statusFor(url, host)).toBe(200);
	},
);

test('where others may ask, they do so by whatever name it has there', async () => {
	const url = await serve({pages: {'/': ok}}, '0.0.0.0');
	expect(await statusFor(url.replace('0.0.0.0', '127.0.0.1'), 'evictwatch.example:8080')).toBe(200);
});
