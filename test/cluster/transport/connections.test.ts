import {getCACertificates} from 'node:tls';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {resolveAccess} from '../../../src/cluster/access/access.ts';
import {systemAuthorities} from '../../../src/cluster/access/certificates.ts';
import type {ConnectionOptions} from '../../../src/cluster/access/connectionOptions.ts';
import {openTransport} from '../../../src/cluster/transport/transport.ts';
import {FakeApiServer} from '../../support/fakeApiServer.ts';
import {startHttpProxy, startSocksProxy} from '../../support/proxies.ts';
import {bareEnvironment, instantTiming, TemporaryFolder} from '../../support/testEnvironment.ts';
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
	const environment = bareEnvironment({env});
	const transport = await openTransport(
		await resolveAccess(options, environment),
		environment,
		instantTiming(),
	);
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

test.for(['socks5', 'socks5h'])('proxy-url %s is told the name of the server', async (scheme) => {
	const server = await start(serverTls);
	const proxy = stack.use(await startSocksProxy(new URL(server.url)));
	const file = kubeconfig('https://api.test:6443', {}, {'proxy-url': `${scheme}://127.0.0.1:${proxy.port}`});
	expect(await (await open({kubeconfig: file})).json('/version')).toEqual({gitVersion: 'v1.36.3'});
	expect(proxy.asked).toEqual(['api.test:6443']);
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

test('an answer is asked for as gzip, unless that is switched off', async () => {
	const server = await start();
	await (await open({server: server.url})).json('/version');
	await (await open({server: server.url, disableCompression: true})).json('/version');
	expect(server.asked.map(({headers}) => headers['accept-encoding'])).toEqual(['gzip', 'identity']);
});
