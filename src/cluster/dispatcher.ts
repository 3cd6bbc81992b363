import {getCACertificates} from 'node:tls';
import {Agent, type Dispatcher, ProxyAgent} from 'undici';
import {second} from '../core/time/instant.ts';
import type {Access} from './access.ts';
import type {Certificate} from './credential.ts';
import {UserError} from './userError.ts';

/** What a connection trusts: the CA certificates in PEM (empty means those of the system), and its way there. */
export type Route = {readonly ca: string; readonly proxy: string | undefined};

/** A pool of kept-alive connections to one server as one user. Watches each take one for minutes. */
export function makeDispatcher({cluster}: Access, {ca, proxy}: Route, certificate?: Certificate): Dispatcher {
	const tls = {
		// Node's own list lacks the CA certificates that a company installs on its machines; kubectl has them.
		ca: ca === '' ? systemCertificates() : ca,
		rejectUnauthorized: !cluster.insecureSkipTlsVerify,
		...(cluster.tlsServerName !== '' && {servername: cluster.tlsServerName}),
		...certificate,
	};
	const options = {allowH2: false, connectTimeout: 10 * second, keepAliveTimeout: 60 * second};
	if (proxy === undefined) return new Agent({...options, connect: {...tls, timeout: 10 * second}});
	if (!URL.canParse(proxy)) {
		throw new UserError(
			`the proxy "${proxy}" is not a URL`,
			'correct proxy-url in the kubeconfig, or HTTPS_PROXY',
		);
	}
	return new ProxyAgent({...options, uri: proxy, requestTls: tls});
}

let cached: string[] | undefined;

function systemCertificates(): string[] {
	cached ??= [...getCACertificates('default'), ...getCACertificates('system')];
	return cached;
}
