import {isIP, type Socket} from 'node:net';
import type {PeerCertificate, SecureContext} from 'node:tls';
import {Agent, buildConnector, type Dispatcher, Pool, ProxyAgent, Socks5ProxyAgent} from 'undici';
import {second} from '../../core/time/instant.ts';
import {messageOf, UserError} from '../../text/userError.ts';
import type {Access} from '../access/access.ts';
import {systemAuthorities} from '../access/certificates.ts';
import type {Certificate} from '../access/kubeconfigEntries.ts';
import {ProxyUnreached} from './requestError.ts';

/** The route to a server: proxy, and whether HTTP/2 is allowed. */
export type Route = {
	readonly proxy: string | undefined;
	readonly allowsHttp2: boolean;
	/** Whether requests go to other servers, too, each with a certificate of its own address. */
	readonly hasManyServers?: boolean;
};

/** The identities of a connection: trusted authorities in PEM (empty for the system's), and the client certificate. */
export type Identity = {readonly ca: string; readonly certificate: Certificate | undefined};

/** As in kubectl. */
const connectTimeout = 30 * second;
/** Timeout of one address of a host before the next is tried. Node.js' default of 250 ms is too short for some VPNs. */
const attemptTimeout = 3 * second;

const connection = {
	connectTimeout,
	autoSelectFamily: true,
	autoSelectFamilyAttemptTimeout: attemptTimeout,
	keepAliveTimeout: 60 * second,
};

/** HTTP/2 settings of Go's client: pings detect a dead connection, large windows make lists fast over long distances. */
const http2 = {
	pingInterval: 15 * second,
	// The API server announces a lower limit.
	maxConcurrentStreams: 250,
	connectionWindowSize: 32 * 2 ** 20,
	settings: {initialWindowSize: 4 * 2 ** 20},
};

/**
 * A connection pool to one server as one user: over HTTP/2 one connection for about a hundred watches, else one for each.
 *
 * @throws UserError if a certificate, a key or the proxy's URL cannot be used
 */
export function makeDispatcher(
	{server, cluster}: Access,
	{proxy, allowsHttp2, hasManyServers}: Route,
	{ca, certificate}: Identity,
): Dispatcher {
	const isTls = server.protocol === 'https:';
	const name = hasManyServers ? '' : withoutBrackets(cluster.tlsServerName || server.hostname);
	const tls = {
		// Made once for all connections: parsing the system's certificates takes a while.
		...(isTls && {secureContext: makeSecureContext(ca, cluster.skipTLSVerify, certificate)}),
		rejectUnauthorized: !cluster.skipTLSVerify,
		// Node.js announces no address, but a certificate may be of one.
		...(isIP(name) === 0 && {servername: name}),
		checkServerIdentity: (host: string, peer: PeerCertificate) => identityError(name || host, peer),
		allowH2: isTls && allowsHttp2,
		timeout: connectTimeout,
	};
	const options = {...connection, allowH2: tls.allowH2, h2Options: http2};
	if (proxy === undefined) return new Agent({...options, connect: tls});
	const uri = proxyUrl(proxy);
	if (uri.startsWith('socks5:')) return new Agent({...options, connect: connectorThroughSocks(uri, tls)});
	return new ProxyAgent({
		...options,
		uri,
		requestTls: tls,
		// undici asks a proxy over HTTP/1.1 alone; it would connect without end to one that may choose HTTP/2.
		proxyTls: {...trustOfProxy(ca, proxy), allowH2: false},
		// Plain http is asked of the proxy itself, in a pool of its own.
		factory: (origin, pool) =>
			poolWithoutAddress(origin, pool, new URL(origin).origin === new URL(uri).origin),
		clientFactory: (origin, pool) => poolWithoutAddress(origin, {...pool, allowH2: false}, true),
	});
}

const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

const identityError = (name: string, peer: PeerCertificate): Error | undefined =>
	process.getBuiltinModule('node:tls').checkServerIdentity(name, peer);

/** undici's agent gives HTTP/2 up, and announces addresses in TLS, which Node.js refuses; its tunnel does neither. */
type SocksProxy = Socks5ProxyAgent & {
	readonly createSocks5Connection: (host: string, port: number) => Promise<Socket>;
};

function connectorThroughSocks(uri: string, tls: buildConnector.BuildOptions): buildConnector.connector {
	const reach = buildConnector({timeout: connectTimeout});
	const proxy = new Socks5ProxyAgent(uri, {
		connectTimeout,
		// undici looks an IPv6 address up as a name, with the brackets that it has in a URL.
		connect: ({hostname, ...place}, callback) =>
			reach({...place, hostname: withoutBrackets(hostname)}, callback),
	}) as SocksProxy;
	const connect = buildConnector(tls);
	return (target, callback) => {
		const isTls = target.protocol === 'https:';
		proxy.createSocks5Connection(target.hostname, Number(target.port) || (isTls ? 443 : 80)).then(
			(socket) => (isTls ? connect({...target, httpSocket: socket}, callback) : callback(null, socket)),
			(error: Error) => asOfProxy(callback)(error, null),
		);
	};
}

/** A pool to a proxy or through it. undici announces a proxy's address in TLS, which Node.js refuses. */
function poolWithoutAddress(origin: string | URL, options: object, isToProxy: boolean): Pool {
	const {connect} = options as {readonly connect: buildConnector.connector};
	return new Pool(origin, {
		...options,
		connect: ({servername, ...target}, callback) =>
			connect(
				{...target, ...(servername && isIP(withoutBrackets(servername)) === 0 && {servername})},
				isToProxy ? asOfProxy(callback) : callback,
			),
	});
}

const asOfProxy =
	(callback: buildConnector.Callback): buildConnector.Callback =>
	(...[error, socket]) =>
		error ? callback(new ProxyUnreached(error), null) : callback(error, socket);

/** Its origin and its credentials. Of a path, a query and a fragment, Go's client takes no notice, and undici throws. */
function proxyUrl(proxy: string): string {
	const url = URL.parse(proxy.replace(/^socks5h:/i, 'socks5:'));
	if (url === null || !['http:', 'https:', 'socks5:'].includes(url.protocol) || !isDecodable(url)) {
		throw new UserError(
			`the proxy "${proxy}" is not a URL of http, https or socks5`,
			'correct proxy-url in the kubeconfig, or HTTPS_PROXY',
		);
	}
	url.pathname = '';
	url.search = '';
	url.hash = '';
	return url.href;
}

/** Whether what is percent-encoded of its credentials can be decoded, as undici does. */
function isDecodable({username, password}: URL) {
	try {
		decodeURIComponent(username + password);
		return true;
	} catch {
		return false;
	}
}

// kubectl verifies a proxy's certificate by the cluster's CA only; a company's proxy is more likely known to the system.
const trustOfProxy = (ca: string, proxy: string) =>
	proxy.startsWith('https:') && {ca: [...systemAuthorities(), ...(ca === '' ? [] : [ca])]};

function makeSecureContext(ca: string, trustsAnyone: boolean, certificate?: Certificate): SecureContext {
	const trusted = ca === '' ? systemAuthorities() : ca;
	// Not imported: without TLS, OpenSSL need not be loaded.
	const {createSecureContext, setDefaultCACertificates} = process.getBuiltinModule('node:tls');
	// Only named authorities are trusted. Node.js would parse its own 150 nevertheless, which takes as long as a TLS handshake.
	// Node.js 23, and 24 before 24.5, have no such function: they parse them.
	setDefaultCACertificates?.([]);
	try {
		return createSecureContext({...(trustsAnyone ? {} : {ca: trusted}), ...certificate});
	} catch (error) {
		throw new UserError(
			`a certificate or key of the kubeconfig cannot be used: ${messageOf(error)}`,
			'check certificate-authority, client-certificate and client-key: they must be PEM and belong together',
		);
	}
}
