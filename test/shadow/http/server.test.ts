import {subscribe, unsubscribe} from 'node:diagnostics_channel';
import {createServer} from 'node:http';
import type {AddressInfo, Server} from 'node:net';
import {afterEach, expect, test} from 'vitest';
import {minute} from '../../../src/core/time/instant.ts';
import {type HttpRoute, plainAnswer} from '../../../src/shadow/http/answer.ts';
import {healthOf, healthRoute} from '../../../src/shadow/http/health.ts';
import {type RunningServer, startServer} from '../../../src/shadow/http/server.ts';
import {createLog} from '../../../src/shadow/log.ts';
import {latestView} from '../../../src/shadow/shadowView.ts';
import {UserError} from '../../../src/text/userError.ts';
import {aView} from '../support/views.ts';

const running: RunningServer[] = [];
afterEach(async () => {
	await Promise.all(running.splice(0).map(({close}) => close()));
});

const lines: string[] = [];
const log = createLog({format: 'json', level: 'debug', now: () => 0, write: (line) => lines.push(line)});

type RoutesByPath = Readonly<Record<string, HttpRoute>>;

async function serve(pages: RoutesByPath, probes: RoutesByPath = {}): Promise<string> {
	const server = await startServer({host: '127.0.0.1', port: 0}, {pages, probes}, log);
	running.push(server);
	return server.url;
}

test('a route is told what is accepted, and answers with its own headers', async () => {
	const url = await serve({
		'/metrics': ({accept}) => ({
			...plainAnswer(200, `for ${accept}`),
			headers: {'content-security-policy': "default-src 'self'"},
		}),
	});
	const answer = await fetch(`${url}/metrics?name=x`, {headers: {accept: 'text/x'}});
	expect(await answer.text()).toBe('for text/x');
	expect(answer.headers.get('content-security-policy')).toBe("default-src 'self'");
	expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
	expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('what there is not is 404, and nothing but reading is allowed', async () => {
	const url = await serve({'/': () => plainAnswer(200, 'page')});
	const absent = await fetch(`${url}/etc/passwd`);
	expect([absent.status, await absent.text()]).toEqual([
		404,
		expect.stringMatching(/^Not found; this server has \/.*\.\n$/),
	]);
	expect((await fetch(`${url}/__proto__`)).status).toBe(404);
	for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
		const answer = await fetch(url, {method});
		expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
	}
	const head = await fetch(url, {method: 'HEAD'});
	expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '4', '']);
});

test('a page that cannot be made is a 500 that tells nobody why, and a line in the log', async () => {
	const url = await serve({
		'/': () => {
			throw new Error('a bug at line 7');
		},
	});
	const answer = await fetch(url);
	expect(answer.status).toBe(500);
	expect(await answer.text()).not.toContain('line 7');
	expect(lines.at(-1)).toContain('a bug at line 7');
	expect((await fetch(`${url}/`)).status).toBe(500);
});

test('a port that is taken is said in two lines', async () => {
	const other = createServer().listen(0, '127.0.0.1');
	await new Promise((resolve) => other.once('listening', resolve));
	const {port} = other.address() as AddressInfo;
	const failure = await startServer({host: '127.0.0.1', port}, {pages: {}, probes: {}}, log).catch(
		(error: unknown) => error,
	);
	other.close();
	expect(failure).toBeInstanceOf(UserError);
	expect((failure as UserError).message).toContain(`127.0.0.1:${port}`);
	expect((failure as UserError).hint).toContain('--listen');
});

test('a connection that cannot be taken is a line in the log, each time, and the others are served', async () => {
	const started: Server[] = [];
	const onStart = (message: unknown) => void started.push((message as {server: Server}).server);
	const channel = 'tracing:net.server.listen:asyncEnd';
	subscribe(channel, onStart);
	const url = await serve({'/': () => plainAnswer(200, 'page')});
	unsubscribe(channel, onStart);
	const before = lines.length;
	// What Node.js emits if no more files may be open.
	for (let times = 0; times < 3; times += 1) started[0]?.emit('error', new Error('accept EMFILE'));
	expect(lines.slice(before)).toEqual(new Array(3).fill(expect.stringContaining('accept EMFILE')));
	expect(await (await fetch(url)).text()).toBe('page');
});

test('closing lets an answer that has begun come to its end', async () => {
	const begun = Promise.withResolvers<void>();
	const go = Promise.withResolvers<void>();
	const url = await serve({
		'/': async () => {
			begun.resolve();
			await go.promise;
			return plainAnswer(200, 'whole');
		},
	});
	const answer = fetch(url);
	await begun.promise;
	const closed = running.splice(0)[0]?.close();
	go.resolve();
	expect(await (await answer).text()).toBe('whole');
	await closed;
	await expect(fetch(url)).rejects.toThrow();
});

test('it is ready from the first whole look on, until it stops; alive while forecasts come', async () => {
	let now = 0;
	const latest = latestView(() => now);
	const health = healthOf(latest);
	const probes = {
		'/livez': healthRoute('livez', () => health.live()),
		'/readyz': healthRoute('readyz', () => health.ready()),
	};
	const url = await serve({}, probes);
	const ask = async (path: string) => {
		const answer = await fetch(url + path);
		return [answer.status, await answer.text()] as const;
	};
	expect(await ask('/livez')).toEqual([200, 'ok\n']);
	expect(await ask('/readyz')).toEqual([
		503,
		'[-]synced failed: the cluster has not been read whole yet\n[+]watching ok\n[+]not-stopping ok\n[+]forecasts ok\nreadyz check failed\n',
	]);
	latest.changed(aView({hasSynced: false}));
	expect((await ask('/readyz'))[0]).toBe(503);
	latest.changed(aView());
	expect(await ask('/readyz')).toEqual([200, 'ok\n']);
	latest.changed(aView({gaps: [{from: 0, until: null, reason: 'lost'}]}));
	expect((await ask('/readyz'))[1]).toContain(
		'[-]watching failed: not all of the cluster is seen since 1970-',
	);
	latest.changed(aView({gaps: [{from: 0, until: 1, reason: 'lost'}]}));
	expect((await ask('/readyz'))[0]).toBe(200);
	now = 5 * minute;
	expect((await ask('/livez'))[0]).toBe(200);
	now = 5 * minute + 1;
	expect(await ask('/livez')).toEqual([503, '[-]forecasts failed: none for 5 minutes\nlivez check failed\n']);
	latest.changed(aView());
	health.stop();
	expect((await ask('/livez'))[0]).toBe(200);
	expect((await ask('/readyz'))[1]).toContain('[-]not-stopping failed: this process is stopping');
});
