import {gzipSync} from 'node:zlib';
import {expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import {refused} from '../../src/cluster/transport/requestError.ts';
import {keepSecret} from '../../src/text/redact.ts';
import {FakeApiServer} from '../support/fakeApiServer.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';
import {testTransport} from '../support/testTransport.ts';

test.for(['a list', 'a watch'])(
	'what a proxy says, compressed, when it refuses %s is told, and counted',
	async (what) => {
		await using server = await FakeApiServer.start();
		const words = gzipSync(JSON.stringify({kind: 'Status', message: 'the gateway is closed for the night'}));
		server.intercept((_, response) => {
			response.writeHead(403, {'content-encoding': 'gzip', 'content-type': 'application/json'}).end(words);
			return true;
		});
		const transport = await testTransport({server: server.url});
		try {
			const {signal} = new AbortController();
			const asking =
				what === 'a list'
					? transport.json('/api/v1/nodes')
					: transport.stream('/api/v1/nodes', {watch: 'true'}, 1000, signal);
			await expect(asking).rejects.toThrow('the gateway is closed for the night');
			expect(transport.traffic.counts.bytes).toBe(words.length);
		} finally {
			await transport.close();
		}
	},
);

test('a watch that is compressed although it was asked not to be is refused, and so is not read as text', async () => {
	await using server = await FakeApiServer.start();
	server.intercept((_, response) => {
		response.writeHead(200, {'content-encoding': 'gzip', 'content-type': 'application/json'});
		response.write(gzipSync(Buffer.alloc(2 ** 20, ' ')));
		return true;
	});
	const transport = await testTransport({server: server.url});
	const {signal} = new AbortController();
	await expect(transport.stream('/api/v1/nodes', {watch: 'true'}, 1000, signal)).rejects.toThrow(
		/^the watch of .* at \/api\/v1\/nodes is compressed/,
	);
	await transport.close();
});

test('a version that may not be read is a problem that says what is taken, and all else is read', async () => {
	await using server = await FakeApiServer.start();
	server.refuse(403, 'forbidden', ({url}) => url.pathname.endsWith('/version'));
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	const {problems, kubernetesVersion, nodes} = await cluster.snapshot({pods: {type: 'all'}});
	expect(problems.map(({reason}) => reason)).toEqual(['VersionForbidden']);
	expect(problems[0]?.message).toContain('the rules and defaults of v1.36 are assumed');
	expect([kubernetesVersion, nodes]).toEqual([undefined, []]);
	await cluster.close();
});

test('a server that asks to wait is quoted with its time', () => {
	expect(refused(429, {message: 'slow down'}, 'GET /api', 7000)).toMatchObject({
		message: 'the server answered 429 to GET /api: slow down; it asks to wait for 7s',
		hint: 'the API server is in trouble or overloaded; try again in 7s',
	});
});

test.for([99_999_999_999_000, Number.POSITIVE_INFINITY])(
	'a server that asks to wait for %s ms is not quoted with that number',
	(retryAfter) => {
		expect(refused(429, {}, 'GET /api', retryAfter)).toMatchObject({
			message: 'the server answered 429 to GET /api; it asks to wait for more than a week',
			hint: 'the API server is in trouble or overloaded; try again later',
		});
	},
);

test('a refusal of a megabyte does not fill the terminal', () => {
	expect(refused(500, {message: 'x'.repeat(2 ** 20)}, 'GET /api/v1/nodes').message.length).toBeLessThan(3000);
});

test('a credential is removed from a refusal wherever its end would be cut', () => {
	keepSecret('SECRETtok3nABCDEFGHIJKL');
	for (const before of [1975, 1980, 1990, 1999]) {
		const message = `${'y '.repeat(before).slice(0, before)}SECRETtok3nABCDEFGHIJKL is over`;
		expect(refused(500, {message}, 'GET /api/v1/nodes').message).not.toContain('SEC');
	}
});
