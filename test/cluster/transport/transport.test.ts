import {once} from 'node:events';
import {createServer} from 'node:http';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import {Decoder} from '../../../src/cluster/codec/decoder.ts';
import {ClockOffset} from '../../../src/cluster/transport/clockOffset.ts';
import {list} from '../../../src/cluster/transport/list.ts';
import {nodes} from '../../../src/cluster/transport/resource.ts';
import {answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment, instantTiming, TemporaryFolder} from '../../support/testEnvironment.ts';
import {testTransport} from '../../support/testTransport.ts';
import {certificateAuthority, oneCluster, pem, serverTls} from '../../support/tlsFiles.ts';

let folder: TemporaryFolder;
let stack: AsyncDisposableStack;
beforeEach(() => {
	stack = new AsyncDisposableStack();
	folder = stack.use(new TemporaryFolder());
});
afterEach(() => stack.disposeAsync());

const start = async (options?: Parameters<typeof FakeApiServer.start>[0]) =>
	stack.use(await FakeApiServer.start(options));

type Around = {readonly env?: Record<string, string>; readonly writeError?: (text: string) => void};

async function open(options: ConnectionOptions, around: Around = {}, timing = instantTiming()) {
	const environment = bareEnvironment({...around, env: {PATH: process.env['PATH'], ...around.env}});
	const transport = await testTransport(options, environment, timing);
	stack.defer(() => transport.close());
	return transport;
}

const kubeconfig = (...fields: Parameters<typeof oneCluster>) =>
	folder.write('config', oneCluster(...fields));

const authorizations = (server: FakeApiServer) => server.asked.map(({headers}) => headers.authorization);

test('requests do not make a connection each', async () => {
	const server = await start(serverTls);
	const connections = server.countConnections();
	const transport = await open({server: server.url, certificateAuthority});
	for (let i = 0; i < 5; i++) expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
	// A second connection is possible if a request comes before the first one is known to be free.
	expect(connections()).toBeLessThanOrEqual(2);
});

test('a server below a path, as behind a gateway, keeps its path', async () => {
	const server = await start();
	const transport = await open({server: `${server.url}/k8s/clusters/c-1/`});
	await transport.json('/version', {limit: '5', continue: 'a/b+c='});
	expect(server.asked[0]?.url.pathname).toBe('/k8s/clusters/c-1/version');
	expect(server.asked[0]?.url.searchParams.get('continue')).toBe('a/b+c=');
});

test.for([
	{name: 'a token', options: {token: 'abc'}, want: 'Bearer abc'},
	{name: 'nothing', options: {}, want: undefined},
])('over TLS, $name is sent as it is', async ({options, want}) => {
	const server = await start(serverTls);
	await (await open({server: server.url, certificateAuthority, ...options})).json('/version');
	expect(authorizations(server)).toEqual([want]);
});

test('user and password are sent as Basic', async () => {
	const server = await start(serverTls);
	const file = kubeconfig(server.url, {username: 'me', password: 'pass'});
	await (await open({kubeconfig: file})).json('/version');
	expect(authorizations(server)).toEqual(['Basic bWU6cGFzcw==']);
});

test('no credentials are sent over plain http', async () => {
	const server = await start();
	await (await open({server: server.url, token: 'abc'})).json('/version');
	expect(authorizations(server)).toEqual([undefined]);
});

test('a token file is read again for each request', async () => {
	const server = await start(serverTls);
	const transport = await open({
		kubeconfig: kubeconfig(server.url, {tokenFile: folder.write('token', 'one\n')}),
	});
	await transport.json('/version');
	folder.write('token', 'two\n');
	await transport.json('/version');
	expect(authorizations(server)).toEqual(['Bearer one', 'Bearer two']);
});

test('a token file that is gone is an error that names it', async () => {
	const server = await start(serverTls);
	const transport = await open({kubeconfig: kubeconfig(server.url, {tokenFile: '/nonexistent/token'})});
	await expect(transport.json('/version')).rejects.toThrow('cannot read the token in /nonexistent/token');
});

test('an empty token file is an error that names it: the request would be an anonymous one', async () => {
	const server = await start(serverTls);
	const tokenFile = folder.write('token', ' \n');
	const transport = await open({kubeconfig: kubeconfig(server.url, {tokenFile})});
	await expect(transport.json('/version')).rejects.toThrow(`there is nothing in the token in ${tokenFile}`);
	expect(authorizations(server)).toEqual([]);
});

test('a client certificate renewed on disk makes new connections, without a restart', async () => {
	const server = await start({...serverTls, requestCert: true, rejectUnauthorized: true});
	const connections = server.countConnections();
	folder.write('c.pem', pem('client.pem'));
	folder.write('c-key.pem', pem('client-key.pem'));
	const user = {'client-certificate': 'c.pem', 'client-key': 'c-key.pem'};
	const transport = await open({kubeconfig: kubeconfig(server.url, user)});
	await transport.json('/version');
	expect(connections()).toBe(1);
	folder.write('c.pem', pem('client-2.pem'));
	folder.write('c-key.pem', pem('client-2-key.pem'));
	await transport.json('/version');
	expect(connections()).toBe(2);
});

test('a credential that the server refuses is renewed once, and the request repeated', async () => {
	const server = await start(serverTls);
	server.refuse(401, 'Unauthorized', ({headers}) => headers.authorization !== 'Bearer t2');
	const log = folder.write('runs', '');
	const script = `const {appendFileSync, readFileSync} = require('node:fs');
		appendFileSync(${JSON.stringify(log)}, 'x');
		const token = 't' + readFileSync(${JSON.stringify(log)}, 'utf8').length;
		const apiVersion = 'client.authentication.k8s.io/v1';
		console.log(JSON.stringify({apiVersion, kind: 'ExecCredential', status: {token}}));`;
	const exec = {
		apiVersion: 'client.authentication.k8s.io/v1',
		command: process.execPath,
		args: ['-e', script],
		interactiveMode: 'Never',
	};
	const transport = await open({kubeconfig: kubeconfig(server.url, {exec})});
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
	expect(authorizations(server)).toEqual(['Bearer t1', 'Bearer t2']);
	server.refuse(401, 'Unauthorized');
	await expect(transport.json('/version')).rejects.toThrow('401');
	expect(authorizations(server)).toEqual(['Bearer t1', 'Bearer t2', 'Bearer t2', 'Bearer t3']);
});

test('a token that was refused and cannot be renewed is not sent again', async () => {
	const server = await start(serverTls);
	server.refuse(401, 'Unauthorized');
	const transport = await open({server: server.url, certificateAuthority, token: 'old'});
	await expect(transport.json('/version')).rejects.toThrow('does not accept the credentials');
	expect(server.asked).toHaveLength(1);
});

test.for([
	{
		year: 2200,
		message: /^the client certificate of user "u" expired at 2126-\S+Z, and the server does not accept it/,
	},
	{year: 2027, message: /^the server does not accept the credentials/},
])('in $year a refused client certificate is said to be what it is', async ({year, message}) => {
	const server = await start(serverTls);
	server.refuse(401, 'Unauthorized');
	const data = (name: string) => Buffer.from(pem(name)).toString('base64');
	const user = {'client-certificate-data': data('client.pem'), 'client-key-data': data('client-key.pem')};
	const timing = instantTiming({now: () => Date.UTC(year, 0)});
	const transport = await open({kubeconfig: kubeconfig(server.url, user)}, {}, timing);
	await expect(transport.json('/version')).rejects.toMatchObject({
		message: expect.stringMatching(message),
		hint: expect.stringMatching(/log in again/),
		status: 401,
	});
});

test('a server that closes the connection to an expired client certificate is explained by it', async () => {
	const server = await start(serverTls);
	server.intercept((_, response) => {
		response.destroy();
		return true;
	});
	const data = (name: string) => Buffer.from(pem(name)).toString('base64');
	const user = {'client-certificate-data': data('client.pem'), 'client-key-data': data('client-key.pem')};
	const of = (year: number) =>
		open({kubeconfig: kubeconfig(server.url, user)}, {}, instantTiming({now: () => Date.UTC(year, 0)}));
	await expect((await of(2200)).json('/version')).rejects.toThrow(/certificate of user "u" expired at 2126-/);
	await expect((await of(2027)).json('/version')).rejects.toThrow(/^the connection to .* failed/);
});

test.for(['a\u001bb', 'a\nb'])(
	'a token that no header may hold (%j) is said to be wrong, not the server',
	async (token) => {
		const transport = await open({server: 'https://127.0.0.1:1', token});
		await expect(transport.json('/version')).rejects.toThrow(/^the token of user "" cannot be sent: /);
	},
);

test('a certificate that is none is an error of the kubeconfig, not of the network', async () => {
	const server = await start(serverTls);
	const brokenPem = Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n').toString(
		'base64',
	);
	const user = {'client-certificate-data': brokenPem, 'client-key-data': brokenPem};
	const transport = await open({kubeconfig: kubeconfig(server.url, user)});
	await expect(transport.json('/version')).rejects.toThrow(
		'a certificate or key of the kubeconfig cannot be used',
	);
});

test('a proxy that is no URL is named', async () => {
	const transport = await open({server: 'https://api.test'}, {env: {HTTPS_PROXY: 'ftp://p:1'}});
	await expect(transport.json('/version')).rejects.toThrow('the proxy "ftp://p:1" is not a URL');
});

test('a connection that was closed while idle is replaced without a word', async () => {
	const server = await start();
	let closed = 0;
	server.intercept((_, response) => {
		if (closed++ > 0) return false;
		response.destroy();
		return true;
	});
	expect(await (await open({server: server.url})).json('/version')).toBeTruthy();
});

test('an answer that is cut off is an error', async () => {
	const server = await start();
	server.intercept((_, response) => {
		response.writeHead(200, {'content-length': '100'});
		response.write('{"half":', () => response.destroy());
		return true;
	});
	await expect((await open({server: server.url})).json('/version')).rejects.toThrow(
		/^the connection to .* failed/,
	);
});

test('impersonation sends each group as a header of its own', async () => {
	const raw: string[] = [];
	const server = createServer((request, response) => {
		raw.push(...request.rawHeaders);
		response.end('{}');
	}).listen(0, '127.0.0.1');
	stack.defer(() => void server.close());
	await once(server, 'listening');
	const {port} = server.address() as {port: number};
	const asUserExtra = ['team/name=blue', 'team/name=red'];
	const transport = await open({
		server: `127.0.0.1:${port}`,
		as: 'Zoë 名',
		asUid: '7',
		asGroup: ['a', 'b,c'],
		asUserExtra,
	});
	await transport.json('/version');
	const pairs = raw.flatMap((name, i) =>
		i % 2 === 0 && /^impersonate/i.test(name) ? [[name.toLowerCase(), raw[i + 1]]] : [],
	);
	expect(pairs).toEqual([
		// As kubectl sends it: in UTF-8, of which each byte is read as a character.
		['impersonate-user', Buffer.from('Zoë 名').toString('latin1')],
		['impersonate-uid', '7'],
		['impersonate-group', 'a'],
		['impersonate-group', 'b,c'],
		['impersonate-extra-team%2fname', 'blue'],
		['impersonate-extra-team%2fname', 'red'],
	]);
});

test('a group without a user to act as is refused before anything is sent', async () => {
	await expect(open({server: 'http://127.0.0.1:1', asGroup: ['a']})).rejects.toThrow('need --as');
});

test.for([
	{
		name: 'a closed port',
		answer: undefined,
		message: /^nothing listens at 127.0.0.1:\d+ \(connection refused\)$/,
	},
	{name: '401', answer: 401, message: /does not accept the credentials/},
	{name: '403 by the words of the API', answer: 403, message: /^the words of the API$/},
	{
		name: '500 with its path',
		answer: 500,
		message: /^the server answered 500 to GET \/version: the words of the API$/,
	},
])('$name is a clear error', async ({answer, message}) => {
	const server = await start();
	server.intercept((_, response) => {
		answerStatus(response, answer ?? 500, 'the words of the API');
		return true;
	});
	const transport = await open({server: server.url});
	if (answer === undefined) await server[Symbol.asyncDispose]();
	await expect(transport.json('/version')).rejects.toMatchObject({
		name: 'UserError',
		message: expect.stringMatching(message),
		hint: expect.stringMatching(/./),
		status: answer,
	});
});

test('a host that does not exist', async () => {
	const transport = await open({server: 'http://nowhere.invalid'});
	await expect(transport.json('/version')).rejects.toThrow('the host nowhere.invalid cannot be found');
});

test('a certificate of an unknown authority names the reason', async () => {
	const server = await start(serverTls);
	await expect((await open({server: server.url})).json('/version')).rejects.toThrow(
		/no trusted connection to .* \(\w+\)/,
	);
	expect(await (await open({server: server.url, insecureSkipTlsVerify: true})).json('/version')).toBeTruthy();
});

test('a certificate for another name is not trusted, unless tls-server-name says so', async () => {
	const server = await start(serverTls);
	const port = new URL(server.url).port;
	const options = {server: `https://localhost:${port}`, certificateAuthority};
	await expect((await open(options)).json('/version')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
	expect(await (await open({...options, tlsServerName: 'api.test'})).json('/version')).toBeTruthy();
});

test('a server that never answers is given up after the request timeout', async () => {
	const server = await start();
	server.intercept(() => true);
	const transport = await open({server: server.url, requestTimeout: '50ms'});
	await expect(transport.json('/version')).rejects.toThrow('did not answer in time');
});

test('a login page is not taken for a Kubernetes API server', async () => {
	const server = await start();
	server.intercept((_, response) => {
		response.end('<html>');
		return true;
	});
	await expect((await open({server: server.url})).json('/version')).rejects.toThrow('no JSON at /version');
});

test('the page of some other server is not in the error: its words are for nobody to record', async () => {
	const server = await start();
	server.intercept((_, response) => {
		response.writeHead(502).end('<html>\n\n<h1>Bad\tGateway</h1>');
		return true;
	});
	const error = await (await open({server: server.url})).json('/version').catch((reason: unknown) => reason);
	expect(String(error)).toMatch(/502/);
	expect(String(error)).not.toMatch(/html|h1/);
});

test('a Retry-After of an overloaded server is kept, in milliseconds', async () => {
	const server = await start();
	server.intercept((_, response) => {
		response.setHeader('retry-after', '7');
		answerStatus(response, 429, 'too many requests');
		return true;
	});
	await expect((await open({server: server.url})).json('/version')).rejects.toMatchObject({retryAfter: 7000});
});

test.for([
	{name: 'an equal clock is no problem', ahead: 0, want: undefined},
	{name: 'nor is one second', ahead: 1000, want: undefined},
	{name: 'a clock ten minutes ahead', ahead: 600_000, want: /clock is about (600|599)\.\d s ahead of/},
	{name: 'a clock ten minutes behind', ahead: -600_000, want: /clock is about (600|599)\.\d s behind/},
])('$name', async ({ahead, want}) => {
	const server = await start();
	const transport = await open({server: server.url}, {}, instantTiming({now: () => Date.now() + ahead}));
	for (let i = 0; i < 3; i++) await transport.json('/version');
	expect(transport.clockOffset.problem).toEqual(
		want && {reason: 'ClockSkew', message: expect.stringMatching(want)},
	);
});

test('the time of the server is taken once two answers agree that the clocks differ, and again after a sleep', async () => {
	let now = Date.UTC(2026, 0, 1);
	const offset = new ClockOffset();
	const ask = (servers: number) => {
		offset.observe(new Date(servers).toUTCString(), now, now + 20);
		now += 1000;
	};
	ask(now);
	expect(offset.correction).toBe(0);
	// A slow response gives little information.
	offset.observe(new Date(now).toUTCString(), now - 60_000, now);
	expect(offset.correction).toBe(0);
	const minutes20 = 1_200_000;
	ask(now + minutes20);
	expect(offset.correction).toBe(0);
	ask(now + minutes20);
	expect(Math.abs(offset.correction - minutes20)).toBeLessThan(1000);
	const {correction} = offset;
	// Small differences of single responses do not change it.
	for (let i = 0; i < 5; i += 1) ask(now + minutes20 + 137);
	expect(offset.correction).toBe(correction);
	ask(now);
	ask(now);
	expect(Math.abs(offset.correction)).toBeLessThan(1000);
});

test.for([
	{name: '/version', path: '/version', status: 200},
	{name: 'a refusal', path: '/version', status: 500},
	{name: 'a list', path: '/api/v1/nodes', status: 200},
])('$name that drips is silence, and ends', async ({path, status}) => {
	const server = await start();
	server.intercept(({url}, response) => {
		if (url.pathname !== path) return false;
		response.writeHead(status, {'content-type': 'application/json'});
		const dripping = setInterval(() => response.write(' '), 50);
		response.on('close', () => clearInterval(dripping));
		return true;
	});
	const transport = await open({server: server.url}, {}, instantTiming({answerTimeout: 1500}));
	const asked = path === '/version' ? transport.json(path) : list(transport, nodes(new Decoder()));
	const failure = status === 200 ? /did not answer in time/ : /answered 500/;
	let silentFor = 0;
	const looking = setInterval(() => (silentFor = Math.max(silentFor, transport.traffic.silentFor())), 20);
	const begunAt = performance.now();
	await expect(asked).rejects.toThrow(failure);
	clearInterval(looking);
	expect(performance.now() - begunAt).toBeLessThan(5000);
	// Who waits is told so meanwhile.
	expect(silentFor).toBeGreaterThan(300);
});

test('an answer that comes slowly, but comes, is read', async () => {
	const server = await start();
	server.intercept(({url}, response) => {
		if (url.pathname !== '/version') return false;
		response.writeHead(200, {'content-type': 'application/json'});
		let parts = 0;
		const sending = setInterval(() => {
			parts += 1;
			if (parts < 40) response.write(' '.repeat(1000));
			else response.end('{"gitVersion":"v1.36.3"}');
		}, 50);
		response.on('close', () => clearInterval(sending));
		return true;
	});
	const transport = await open({server: server.url}, {}, instantTiming({answerTimeout: 1500}));
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
});
