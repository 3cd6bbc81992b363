import {createSecureContext, getCACertificates, type SecureContext} from 'node:tls';
import {Agent, type Dispatcher, ProxyAgent} from 'undici';
import {second} from '../core/time/instant.ts';
import type {Access} from './access.ts';
import type {Certificate} from './credential.ts';
import {messageOf, UserError} from './userError.ts';

/** What a connection trusts: the CA certificates in PEM (empty means those of the system), and its way there. */
export type Route = {readonly ca: string; readonly proxy: string | undefined};

const connectTimeout = 10 * second;

/**
 * A pool of kept-alive connections to one server as one user. Watches each take one for minutes.
 *
 * @throws UserError where a certificate, a key or the proxy's URL cannot be used.
 */
export function makeDispatcher(
	{server, cluster}: Access,
	route: Route,
	certificate?: Certificate,
): Dispatcher {
	const isTls = server.protocol === 'https:';
	const tls = {
		// Made once for all connections: to parse all certificates of a system takes a while.
		...(isTls && {secureContext: makeSecureContext(route.ca, cluster.insecureSkipTlsVerify, certificate)}),
		rejectUnauthorized: !cluster.insecureSkipTlsVerify,
		...(cluster.tlsServerName !== '' && {servername: cluster.tlsServerName}),
	};
	const options = {allowH2: false, connectTimeout, keepAliveTimeout: 60 * second};
	if (route.proxy === undefined) return new Agent({...options, connect: {...tls, timeout: connectTimeout}});
	const protocol = URL.parse(route.proxy)?.protocol ?? '';
	if (!['http:', 'https:', 'socks5:'].includes(protocol)) {
		throw new UserError(
			`the proxy "${route.proxy}" is not a URL of http, https or socks5`,
			'correct proxy-url in the kubeconfig, or HTTPS_PROXY',
		);
	}
	return new ProxyAgent({...options, uri: route.proxy, requestTls: tls});
}

function makeSecureContext(ca: string, trustsAnyone: boolean, certificate?: Certificate): SecureContext {
	try {
		return createSecureContext({...(trustsAnyone ? {} : {ca: trustedBy(ca)}), ...certificate});
	} catch (error) {
		throw new UserError(
			`a certificate or key of the kubeconfig cannot be used: ${messageOf(error)}`,
			'check certificate-authority, client-certificate and client-key: they must be PEM and belong together',
		);
	}
}

// Node's own list lacks the CA certificates that a company installs on its machines; kubectl has them.
const trustedBy = (ca: string) =>
	ca === '' ? [...getCACertificates('default'), ...getCACertificates('system')] : ca;
