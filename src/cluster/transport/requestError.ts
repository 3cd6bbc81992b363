import type {V1Status} from '@kubernetes/client-node';
import type {Duration} from '../../core/time/instant.ts';
import {codeOf, messageOf, UserError} from '../../text/userError.ts';
import {fieldsOf, numberOf, textOf} from '../codec/rawJson.ts';

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

export function hasStatus(error: unknown, status: number): error is RequestError {
	return error instanceof RequestError && error.status === status;
}

/** Whether a request may succeed later: it failed because of the outage, not because of the request. */
export function mayPass(error: unknown): boolean {
	if (!(error instanceof RequestError)) return false;
	// Permissions may be granted later, and much works without them.
	const mayChange = [403, 410, 429];
	return error.status === undefined || error.status >= 500 || mayChange.includes(error.status);
}

/** The error for a failed response, with its Status' message if it has one. @param request the method, a space, the path */
export function refused(
	status: number,
	body: unknown,
	request: string,
	retryAfter: Duration = 0,
): RequestError {
	// Another server's page is not quoted: its text must not be recorded or served.
	const message = textOf(fieldsOf<V1Status>(body).message).trim().replaceAll(/\s+/g, ' ');
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
	return new RequestError(
		`the server answered ${status} to ${request}${message === '' ? '' : `: ${message}`}`,
		status >= 500 || status === 429
			? 'the API server is in trouble or overloaded; try again in a moment'
			: 'check that the server is a Kubernetes API server: kubectl version',
		status,
		retryAfter,
	);
}

/** The error for a Status in place of a watch event. */
export function refusedInWatch(status: unknown, path: string): RequestError {
	return refused(numberOf(fieldsOf<V1Status>(status).code) ?? 500, status, `GET ${path}`);
}

/** The error for a request without a complete response. */
export function unreachable(error: unknown, server: URL): RequestError {
	const code = codeOf(error);
	const host = server.host;
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
	if (/CERT|SIGNATURE|SIGNED|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^EPROTO|ISSUER|CRL/.test(code)) {
		return new RequestError(
			`no trusted connection to ${host}: ${messageOf(error)} (${code})`,
			'check certificate-authority and tls-server-name of the cluster, the client certificate, and the clock',
		);
	}
	const why = code === '' ? messageOf(error) : `${messageOf(error)} (${code})`;
	return new RequestError(`the connection to ${host} failed: ${why}`, checkAddress);
}

function timedOut(error: unknown): boolean {
	return /TIMEOUT|TIMEDOUT/.test(codeOf(error)) || (error instanceof Error && error.name === 'TimeoutError');
}

/** Whether the peer closed the connection before it responded. */
export function wasClosed(error: unknown): boolean {
	const code = codeOf(error);
	return (
		['UND_ERR_SOCKET', 'UND_ERR_INFO', 'ECONNRESET', 'EPIPE'].includes(code) || code.startsWith('ERR_HTTP2_')
	);
}

/** Whether a request failed because nothing arrived for too long. */
export function isSilence(error: unknown): boolean {
	return ['UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'].includes(codeOf(error));
}

const checkAddress = 'check that the API server is up, and its address: kubectl config view --minify';
