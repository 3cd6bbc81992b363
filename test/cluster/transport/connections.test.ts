import {once} from 'node:events';
import {type AddressInfo, createServer, type Socket} from 'node:net';
import {getCACertificates} from 'node:tls';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {systemAuthorities} from '../../../src/cluster/access/certificates.ts';
import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import {FakeApiServer} from '../../support/fakeApiServer.ts';
import {startHttpProxy, startSocksProxy} from '../../support/proxies.ts';
import {bareEnvironment, instantTiming, TemporaryFolder} from '../../support/testEnvironment.ts';
import {testTransport} from '../../support/testTransport.ts';
import {certificateAuthority, oneCluster, pem, serverTls} from '../../support/tlsFiles.ts';

let stack: AsyncDisposableStack;
let folder: TemporaryFolder;
beforeEach(() => {
	stack = new AsyncDisposableStack();
	folder = stack.use(new TemporaryFolder());
});
afterEach(() => stack.disposeAsync());

const start = async (options?: Parameters<typeof FakeApiServer.start>[0]) =>
	stack.use(await FakeApiServer.start(options));

async function open(options: ConnectionOptions, env: Record<string, string> = {}) {
	const transport = await testTransport(options, bareEnvironment({env}));
	stack.defer(() => transport.close());
	return transport;
}

const kubeconfig = (...fields: Parameters<typeof oneCluster>) =>
	folder.write('config', oneCluster(...fields));

test('https goes through a tunnel of an HTTP proxy, with the name and not the address', async () => {
	const server = await start(serverTls);
	const proxy = stack.use(await startHttpProxy(new URL(server.url)));
	const transport = await open(
		{server: 'https://api.test:6443', certificateAuthority},
		{HTTPS_PROXY: `127.0.0.1:${proxy.port}`},
	);
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
	expect(proxy.asked).toEqual(['CONNECT api.test:6443']);
});

test('only the authorities that a connection names are parsed; those of the system and of Node.js can still be named, each once', async () => {
	const server = await start(serverTls);
	const transport = await open({server: server.url, certificateAuthority});
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
	expect(getCACertificates('default')).toEqual([]);
	const authorities = systemAuthorities();
	expect(authorities.length).toBeGreaterThan(100);
	expect(new Set(authorities).size).toBe(authorities.length);
});

test('a Node.js that cannot be told to parse no authorities of its own connects as well', async () => {
	const server = await start(serverTls);
	const {getBuiltinModule} = process;
	const withoutFunction = {...getBuiltinModule('node:tls'), setDefaultCACertificates: undefined};
	const spy = vi.spyOn(process, 'getBuiltinModule');
	stack.defer(() => spy.mockRestore());
	spy.mockImplementation((id) => (id === 'node:tls' ? withoutFunction : getBuiltinModule(id)));
	const transport = await open({server: server.url, certificateAuthority});
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
});

test('plain http is passed on by an HTTP proxy', async () => {
	const server = await start();
	const proxy = stack.use(await startHttpProxy(new URL(server.url)));
	const transport = await open({server: 'http://api.test'}, {HTTP_PROXY: `http://127.0.0.1:${proxy.port}`});
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
	expect(proxy.asked).toHaveLength(1);
	expect(proxy.asked[0]).toContain('api.test');
});

const names = [
	{server: 'https://api.test:6443', socks: 'api.test:6443'},
	{server: 'https://127.0.0.1:6443', socks: '127.0.0.1:6443'},
	{server: 'https://[::1]:6443', socks: `[${'0'.repeat(31)}1]:6443`},
];
test.for(
	names.flatMap(({server, socks}) =>
		['socks5', 'socks5h', 'http', 'https'].map((scheme) => ({server, scheme, socks})),
	),
)(
	'proxy-url $scheme is told that the server is $server, and its certificate is checked',
	async ({server, scheme, socks}) => {
		const api = await start(serverTls);
		const target = new URL(api.url);
		const proxy = stack.use(
			await (scheme.startsWith('socks')
				? startSocksProxy(target)
				: startHttpProxy(target, scheme === 'https' ? serverTls : undefined)),
		);
		const through = {'proxy-url': `${scheme}://127.0.0.1:${proxy.port}`};
		const connections = api.countConnections();
		const transport = await open({kubeconfig: kubeconfig(server, {}, through)});
		expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
		expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
		expect(connections()).toBe(1);
		expect(proxy.asked).toEqual([scheme.startsWith('socks') ? socks : `CONNECT ${new URL(server).host}`]);
		const elsewhere = {...through, 'tls-server-name': 'other.test'};
		await expect(
			(await open({kubeconfig: kubeconfig(server, {}, elsewhere)})).json('/version'),
		).rejects.toThrow('no trusted connection');
	},
);

test('an IPv6 address as tls-server-name may have brackets, as for kubectl', async () => {
	const api = await start(serverTls);
	const named = {'tls-server-name': '[::1]'};
	const transport = await open({kubeconfig: kubeconfig(api.url, {}, named)});
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
});

test.for(['socks5', 'socks5h'])('a %s proxy may be named by an IPv6 address', async (scheme) => {
	const api = await start(serverTls);
	const proxy = stack.use(await startSocksProxy(new URL(api.url), '::1'));
	const through = {'proxy-url': `${scheme}://[::1]:${proxy.port}`};
	const transport = await open({kubeconfig: kubeconfig('https://api.test:6443', {}, through)});
	expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
});

const http = (status: string) => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`;

test.for([
	{
		scheme: 'http',
		answer: http('407 Proxy Authentication Required'),
		why: 'it wants a name and a password (407',
	},
	{scheme: 'http', answer: http('502 Bad Gateway'), why: 'it answered 502'},
	{scheme: 'http', answer: '', why: 'Proxy Connection failed'},
	{scheme: 'socks5', answer: Buffer.from([5, 255]), why: 'No acceptable authentication method'},
	{scheme: 'socks5', answer: 'HTTP/1.1 400', why: 'Invalid SOCKS version'},
])('a $scheme proxy that answers $answer is named, not the API server', async ({scheme, answer, why}) => {
	const proxy = createServer((socket) => {
		socket.on('error', () => undefined).once('data', () => socket.end(answer));
	});
	stack.defer(() => void proxy.close());
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	const place = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const file = kubeconfig('https://api.test:6443', {}, {'proxy-url': `${scheme}://me:opensesame@${place}`});
	const transport = await open({kubeconfig: file});
	await expect(transport.json('/version')).rejects.toThrow(
		`the proxy ${place} does not connect to api.test:6443: ${why}`,
	);
});

test.for(['https://api.test:6443', 'http://api.test'])(
	'a certificate of a proxy that is not trusted is told as the proxy, on the way to %s',
	async (server) => {
		const untrusted = {cert: pem('kubelet.pem'), key: pem('kubelet-key.pem')};
		const {port} = stack.use(await startHttpProxy(new URL('http://127.0.0.1:1'), untrusted));
		const through = {'proxy-url': `https://127.0.0.1:${port}`};
		const transport = await open({kubeconfig: kubeconfig(server, {}, through)});
		await expect(transport.json('/version')).rejects.toThrow(
			`the proxy 127.0.0.1:${port} does not connect to ${new URL(server).host}: no trusted connection to it: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)`,
		);
	},
);

test.for([
	{what: 'closes the connection', act: (socket: Socket) => void socket.destroy(), why: ''},
	{
		what: 'speaks no TLS',
		act: (socket: Socket) => void socket.end('HTTP/1.1 400\r\n\r\n'),
		why: 'no trusted',
	},
])('an https proxy that $what is named, not the API server', async ({act, why}) => {
	const proxy = createServer(
		(socket) => void socket.on('error', () => undefined).once('data', () => act(socket)),
	);
	stack.defer(() => void proxy.close());
	await once(proxy.listen(0, '127.0.0.1'), 'listening');
	const place = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const file = kubeconfig('https://api.test:6443', {}, {'proxy-url': `https://${place}`});
	const transport = await open({kubeconfig: file});
	await expect(transport.json('/version')).rejects.toThrow(
		`the proxy ${place} does not connect to api.test:6443: ${why}`,
	);
});

test.for(['http', 'https', 'socks5'])(
	'a %s proxy may be named with a path, a query and a fragment, of which no notice is taken',
	async (scheme) => {
		const api = await start(serverTls);
		const target = new URL(api.url);
		const tls = scheme === 'https' ? serverTls : undefined;
		const proxy = stack.use(
			await (scheme === 'socks5' ? startSocksProxy(target) : startHttpProxy(target, tls)),
		);
		const through = {'proxy-url': `${scheme}://127.0.0.1:${proxy.port}/a/b?c=d#e`};
		const transport = await open({kubeconfig: kubeconfig('https://api.test:6443', {}, through)});
		expect(await transport.json('/version')).toEqual({gitVersion: 'v1.36.3'});
		expect(proxy.asked).toHaveLength(1);
	},
);

test('a password of a proxy that is not percent-encoded is told as such, without it', async () => {
	const through = {'proxy-url': 'http://me:open%sesame@127.0.0.1:1'};
	const transport = await open({kubeconfig: kubeconfig('https://api.test:6443', {}, through)});
	await expect(transport.json('/version')).rejects.toThrow(
		'the proxy "http://[removed]@127.0.0.1:1" is not a URL of http, https or socks5',
	);
});

test.for(['https://api.test:6443', 'http://api.test'])(
	'a proxy that would choose HTTP/2 is offered HTTP/1.1 alone on the way to %s',
	async (server) => {
		const api = await start(server.startsWith('https:') ? serverTls : undefined);
		const alpn = {ALPNProtocols: ['h2', 'http/1.1']};
		const proxy = stack.use(await startHttpProxy(new URL(api.url), {...serverTls, ...alpn}));
		const through = {'proxy-url': `https://127.0.0.1:${proxy.port}`};
		const transport = await open({kubeconfig: kubeconfig(server, {}, through)});
		expect(await transport.json('/version', {}, AbortSignal.timeout(5000))).toEqual({gitVersion: 'v1.36.3'});
		expect(proxy.asked).toHaveLength(1);
	},
);

test('plain http through a proxy with TLS, and through SOCKS, is passed on as well', async () => {
	const api = await start();
	const https = stack.use(await startHttpProxy(new URL(api.url), serverTls));
	const socks = stack.use(await startSocksProxy(new URL(api.url)));
	for (const proxy of [`https://127.0.0.1:${https.port}`, `socks5://127.0.0.1:${socks.port}`]) {
		const file = kubeconfig('http://10.0.0.1', {}, {'proxy-url': proxy});
		expect(await (await open({kubeconfig: file})).json('/version')).toEqual({gitVersion: 'v1.36.3'});
	}
	expect(socks.asked).toEqual(['10.0.0.1:80']);
});

test.for([
	{name: '127.0.0.1', isTrusted: true},
	{name: '::1', isTrusted: true},
	{name: '10.0.0.1', isTrusted: false},
])('tls-server-name may be an address: $name is trusted: $isTrusted', async ({name, isTrusted}) => {
	const {url} = await start(serverTls);
	const transport = await open({kubeconfig: kubeconfig(url, {}, {'tls-server-name': name})});
	const answer = transport.json('/version').then(
		() => 'answered',
		(error: unknown) => String(error),
	);
	expect(await answer).toContain(isTrusted ? 'answered' : 'no trusted connection');
});

test('a certificate that does not belong to its key yet is passed over: the old connection does', async () => {
	const server = await start({...serverTls, requestCert: true, rejectUnauthorized: true});
	const connections = server.countConnections();
	folder.write('c.pem', pem('client.pem'));
	folder.write('c-key.pem', pem('client-key.pem'));
	const file = kubeconfig(server.url, {'client-certificate': 'c.pem', 'client-key': 'c-key.pem'});
	const transport = await open({kubeconfig: file});
	await transport.json('/version');
	folder.write('c.pem', pem('client-2.pem'));
	await transport.json('/version');
	expect(connections()).toBe(1);
	folder.write('c-key.pem', pem('client-2-key.pem'));
	await transport.json('/version');
	expect(connections()).toBe(2);
});

test('a CA file that is renewed decides for new connections', async () => {
	const server = await start(serverTls);
	// A certificate that did not sign the server's: no server is trusted by it.
	const ca = folder.write('ca.pem', pem('ca.pem'));
	const transport = await open({kubeconfig: kubeconfig(server.url, {}, {'certificate-authority': ca})});
	await transport.json('/version');
	folder.write('ca.pem', pem('client.pem'));
	await expect(transport.json('/version')).rejects.toThrow('no trusted connection');
	folder.write('ca.pem', pem('ca.pem'));
	expect(await transport.json('/version')).toBeTruthy();
});

test('closing ends what an old connection had still to serve', async () => {
	const server = await start({...serverTls, requestCert: true, rejectUnauthorized: true});
	folder.write('c.pem', pem('client.pem'));
	folder.write('c-key.pem', pem('client-key.pem'));
	const file = kubeconfig(server.url, {'client-certificate': 'c.pem', 'client-key': 'c-key.pem'});
	const transport = await open({kubeconfig: file});
	const query = {watch: 'true', resourceVersion: '1'};
	const watch = await transport.stream('/api/v1/nodes', query, 60_000, new AbortController().signal);
	const ended = new Promise((resolve) => watch.on('error', resolve));
	folder.write('c.pem', pem('client-2.pem'));
	folder.write('c-key.pem', pem('client-2-key.pem'));
	await transport.json('/version');
	expect(watch.destroyed).toBe(false);
	await transport.close();
	await ended;
});

test('a plugin that hangs is named, and not a silent server', async () => {
	const server = await start(serverTls);
	const [apiVersion, command] = ['client.authentication.k8s.io/v1', process.execPath];
	const exec = {apiVersion, command, args: ['-e', 'setInterval(() => 0, 1000)'], interactiveMode: 'Never'};
	let elapsed = 0;
	const timing = instantTiming({elapsed: () => elapsed});
	const transport = await testTransport({kubeconfig: kubeconfig(server.url, {exec})}, undefined, timing);
	stack.defer(() => transport.close());
	const end = new AbortController();
	const answer = transport.json('/version', {}, end.signal);
	await expect.poll(() => transport.pluginAtWork, {timeout: 60_000}).toBeDefined();
	expect(transport.pluginProblem).toBeUndefined();
	elapsed = 6000;
	const message = `the credential plugin ${command} does not answer, and no request is sent without it`;
	expect(transport.pluginProblem).toEqual({reason: 'CredentialsUnavailable', message});
	end.abort(new DOMException('late', 'TimeoutError'));
	await expect(answer).rejects.toMatchObject({name: 'UserError', message});
	expect(server.asked).toEqual([]);
});

test('an answer is asked for as gzip, unless that is switched off', async () => {
	const server = await start();
	await (await open({server: server.url})).json('/version');
	await (await open({server: server.url, disableCompression: true})).json('/version');
	expect(server.asked.map(({headers}) => headers['accept-encoding'])).toEqual(['gzip', 'identity']);
});
