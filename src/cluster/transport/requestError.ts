import type {V1Status} from '@kubernetes/client-node';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {isoTime} from '../../dates/utc.ts';
import {redactedHead} from '../../text/redact.ts';
import {codeOf, messageOf, UserError} from '../../text/userError.ts';
import {fieldsOf, numberOf, textOf} from '../codec/rawJson.ts';
import {AnswerTooLarge} from './answerBody.ts';

export class RequestError extends UserError {
	/** The HTTP status, or the code of a Status in a watch; undefined without a response. */
	readonly status: number | undefined;
	readonly retryAfter: Duration;
	readonly isTimeout: boolean;

	constructor(message: string, hint: string, status?: number, retryAfter: Duration = 0, isTimeout = false) {
		super(message, hint);
		this.isTimeout = isTimeout;
		this.status = status;
		this.retryAfter = retryAfter;
	}
}

/** An answer without an end, or one that is far larger than others of its kind. Asking again would not help. */
export class TooLargeError extends RequestError {}

/** The server's certificate is not to be trusted, or TLS failed. */
export class UntrustedError extends RequestError {}

export function hasStatus(error: unknown, status: number): error is RequestError {
	return error instanceof RequestError && error.status === status;
}

/** Whether a request may succeed later: it failed because of the outage, not because of the request. */
export function mayPass(error: unknown) {
	if (!(error instanceof RequestError) || error instanceof TooLargeError) return false;
	// Permissions may be granted later, and much works without them.
	const mayChange = [403, 410, 429];
	return error.status === undefined || error.status >= 500 || mayChange.includes(error.status);
}

/** The most letters of a server's message that are shown; a megabyte would fill the terminal. */
const longestMessage = 2000;

/** The longest wait that is told as the server asks for it, which may be any number. */
const longestTold: Duration = 7 * 24 * 60 * minute;

/** The error for a failed response, with its Status' message if it has one. @param request the method, a space, the path */
export function refused(
	status: number,
	body: unknown,
	request: string,
	retryAfter: Duration = 0,
): RequestError {
	// Another server's page is not quoted: its text must not be recorded or served.
	const message = redactedHead(textOf(fieldsOf<V1Status>(body).message), longestMessage)
		.trim()
		.replaceAll(/\s+/g, ' ');
	if (status === 401) {
		return new RequestError(
			'the server does not accept the credentials (401 Unauthorized)',
			'log in again, or check the user of this context: kubectl config view --minify',
			status,
		);
	}
	if (status === 403) {
		return new RequestError(
			message || `forbidden: ${request}`,
			'ask for a role that may get, list and watch this, or use another --context or --as',
			status,
		);
	}
	const asked = status === 429 && retryAfter > 0 ? retryAfter : 0;
	const isTooLong = asked > longestTold;
	const wait = asked === 0 ? '' : isTooLong ? 'more than a week' : formatDuration(asked);
	const when = isTooLong ? 'later' : `in ${wait || 'a moment'}`;
	return new RequestError(
		`the server answered ${status} to ${request}${message === '' ? '' : `: ${message}`}${wait && `; it asks to wait for ${wait}`}`,
		status >= 500 || status === 429
			? `the API server is in trouble or overloaded; try again ${when}`
			: 'check that the server is a Kubernetes API server: kubectl version',
		status,
		retryAfter,
	);
}

/** The error for a 401, or a closed connection, to an expired client certificate. */
export const expired = (at: Instant, user: string): RequestError =>
	new RequestError(
		`the client certificate of user "${user}" expired at ${isoTime(at)}, and the server does not accept it`,
		'renew the certificate of this user, or log in again; see kubectl config view --minify',
		401,
	);

/** The error for a watch that cannot be read line by line as it arrives. */
export const compressed = (path: string, server: URL): RequestError =>
	new RequestError(
		`the watch of ${server.host} at ${path} is compressed, although it was asked not to be`,
		'check whether a proxy in between compresses answers, which holds back what happens',
	);

/** The error for a Status in place of a watch event. */
export function refusedInWatch(status: unknown, path: string): RequestError {
	return refused(numberOf(fieldsOf<V1Status>(status).code) ?? 500, status, `GET ${path}`);
}

/** The error for a request without a complete response. */
export function unreachable(error: unknown, server: URL, proxy?: string, path = '/'): RequestError {
	const code = codeOf(error);
	const host = proxy === undefined ? server.host : `${server.host} through the proxy ${proxy}`;
	const failure = proxy === undefined ? undefined : failureOfProxy(error);
	if (failure !== undefined) {
		return new RequestError(
			`the proxy ${proxy} does not connect to ${server.host}: ${failure}`,
			'check the proxy, and proxy-url of the cluster, or HTTPS_PROXY and NO_PROXY',
		);
	}
	if (error instanceof AnswerTooLarge) {
		return new TooLargeError(
			`the answer of ${host} to GET ${path} is too large: ${error.message}`,
			'check what answers there: kubectl get --raw, and whether a proxy is in between',
		);
	}
	if (code === 'ECONNREFUSED') {
		return new RequestError(`nothing listens at ${host} (connection refused)`, checkAddress);
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return new RequestError(`the host ${server.hostname} cannot be found (${code})`, checkAddress);
	}
	if (timedOut(error)) {
		return new RequestError(
			`the server ${host} did not answer in time`,
			'check the network, VPN and proxy; --request-timeout sets how long to wait',
			undefined,
			0,
			true,
		);
	}
	if (isOfTls(error)) {
		return new UntrustedError(
			`no trusted connection to ${host}: ${messageAndCode(error)}`,
			'check certificate-authority and tls-server-name of the cluster, the client certificate, and the clock',
		);
	}
	return new RequestError(`the connection to ${host} failed: ${messageAndCode(error)}`, checkAddress);
}

/** Without what Node.js advises those who write programs to do. */
const messageAndCode = (error: unknown) =>
	[
		messageOf(error).replace(/; if the root CA is .*--use-system-ca$/, ''),
		codeOf(error) && `(${codeOf(error)})`,
	]
		.filter(Boolean)
		.join(' ');

/** No connection to a proxy came about. Its code hides that of the cause, which would be told as the server's. */
export class ProxyUnreached extends Error {
	readonly code = 'UND_ERR_PRX_UNREACHED';

	constructor(cause: Error) {
		super(messageOf(cause), {cause});
	}
}

/** What a proxy did in place of connecting to the server; a direct connection is to the proxy alone. */
function failureOfProxy(failure: unknown): string | undefined {
	const error = failure instanceof ProxyUnreached ? failure.cause : failure;
	const code = codeOf(error);
	const status = /^Proxy response \((\d+)\)/.exec(messageOf(error))?.[1];
	if (status === '407') return 'it wants a name and a password (407 Proxy Authentication Required)';
	if (status !== undefined) return `it answered ${status}`;
	if (code === 'ECONNREFUSED') return 'nothing listens there (connection refused)';
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `its host cannot be found (${code})`;
	if (error !== failure && timedOut(error)) return 'it did not answer in time';
	if (error !== failure && isOfTls(error)) return `no trusted connection to it: ${messageAndCode(error)}`;
	return /^UND_ERR_(PRX|SOCKS5)/.test(codeOf(failure)) ? messageAndCode(error) : undefined;
}

/** Whether the connection was refused for a certificate, or TLS failed. */
export const isOfTls = (error: unknown) =>
	/CERT|SIGNATURE|SIGNED|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^EPROTO|ISSUER|CRL/.test(codeOf(error));

function timedOut(error: unknown): boolean {
	return /TIMEOUT|TIMEDOUT/.test(codeOf(error)) || (error instanceof Error && error.name === 'TimeoutError');
}

/** Whether the peer closed the connection before it responded. */
export function wasClosed(error: unknown) {
	const code = codeOf(error);
	return (
		['UND_ERR_SOCKET', 'UND_ERR_INFO', 'ECONNRESET', 'EPIPE'].includes(code) || code.startsWith('ERR_HTTP2_')
	);
}

/** Whether a request failed because nothing arrived for too long. */
export function isSilence(error: unknown) {
	return ['UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'].includes(codeOf(error));
}

const checkAddress = 'check that the API server is up, and its address: kubectl config view --minify';
