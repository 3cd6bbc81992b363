import type {SecureContext} from 'node:tls';
import {Agent, type Dispatcher, ProxyAgent} from 'undici';
import {second} from '../../core/time/instant.ts';
import {messageOf, UserError} from '../../text/userError.ts';
import type {Access} from '../access/access.ts';
import {systemAuthorities} from '../access/certificates.ts';
import type {Certificate} from '../access/kubeconfigEntries.ts';

/** How a server is reached: by which proxy, and whether over HTTP/2 where it speaks that. */
export type Route = {readonly proxy: string | undefined; readonly allowsHttp2: boolean};

/** What a connection is made of: whom it trusts, in PEM (empty means the system's authorities), and who we are. */
export type Identity = {readonly ca: string; readonly certificate: Certificate | undefined};

/** As kubectl. */
const connectTimeout = 30 * second;
/**
 * How long one address of a host is tried before the next. Node.js gives up after a quarter of a second, which a VPN
 * may need for an answer.
 */
const attemptTimeout = 3 * second;

const connection = {
	connectTimeout,
	autoSelectFamily: true,
	autoSelectFamilyAttemptTimeout: attemptTimeout,
	keepAliveTimeout: 60 * second,
};

/**
 * HTTP/2 as Go's client does it: a dead connection is noticed by a ping without an answer, and the windows are so large
 * that a long way to the server does not slow a list down.
 */
const http2 = {
	pingInterval: 15 * second,
	// The API server allows fewer, and says so.
	maxConcurrentStreams: 250,
	connectionWindowSize: 32 * 2 ** 20,
	settings: {initialWindowSize: 4 * 2 ** 20},
};

/**
 * The kept connections to one server as one user: over HTTP/2 one for about a hundred watches, else one for each.
 *
 * @throws UserError where a certificate, a key or the proxy's URL cannot be used.
 */
export function makeDispatcher(
	{server, cluster}: Access,
	{proxy, allowsHttp2}: Route,
	{ca, certificate}: Identity,
): Dispatcher {
	const isTls = server.protocol === 'https:';
	const tls = {
		// Made once for all connections: to parse all certificates of a system takes a while.
		...(isTls && {secureContext: makeSecureContext(ca, cluster.skipTLSVerify, certificate)}),
		rejectUnauthorized: !cluster.skipTLSVerify,
		...(cluster.tlsServerName && {servername: cluster.tlsServerName}),
	};
	const options = {...connection, allowH2: isTls && allowsHttp2, h2Options: http2};
	if (proxy === undefined) return new Agent({...options, connect: {...tls, timeout: connectTimeout}});
	return new ProxyAgent({...options, uri: proxyUrl(proxy), requestTls: tls, ...trustOfProxy(ca, proxy)});
}

function proxyUrl(proxy: string): string {
	const url = proxy.replace(/^socks5h:/i, 'socks5:');
	if (['http:', 'https:', 'socks5:'].includes(URL.parse(url)?.protocol ?? '')) return url;
	throw new UserError(
		`the proxy "${proxy}" is not a URL of http, https or socks5`,
		'correct proxy-url in the kubeconfig, or HTTPS_PROXY',
	);
}

// kubectl checks a proxy's certificate by the cluster's CA; a company's own is more likely known to the system.
const trustOfProxy = (ca: string, proxy: string) =>
	proxy.startsWith('https:') && {proxyTls: {ca: [...systemAuthorities(), ...(ca === '' ? [] : [ca])]}};

function makeSecureContext(ca: string, trustsAnyone: boolean, certificate?: Certificate): SecureContext {
	const trusted = ca === '' ? systemAuthorities() : ca;
	// Not imported: without TLS nobody should wait for OpenSSL.
	const {createSecureContext} = process.getBuiltinModule('node:tls');
	try {
		return createSecureContext({...(trustsAnyone ? {} : {ca: trusted}), ...certificate});
	} catch (error) {
		throw new UserError(
			`a certificate or key of the kubeconfig cannot be used: ${messageOf(error)}`,
			'check certificate-authority, client-certificate and client-key: they must be PEM and belong together',
		);
	}
}
