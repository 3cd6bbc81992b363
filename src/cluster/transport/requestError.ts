import type {V1Status} from '@kubernetes/client-node';
import type {Duration} from '../../core/time/instant.ts';
import {codeOf, messageOf, UserError} from '../../text/userError.ts';
import {fieldsOf, numberOf, textOf} from '../codec/rawJson.ts';

/** A request that was not answered with what it asked for. */
export class RequestError extends UserError {
	/** The HTTP status, also of a Status that came in a watch; undefined where no answer came. */
	readonly status: number | undefined;
	/** How long the server asks to be left alone. */
	readonly retryAfter: Duration;
	/** Whether an answer was awaited in vain. */
	readonly isTimeout: boolean;

	constructor(message: string, hint: string, status?: number, retryAfter: Duration = 0, isTimeout = false) {
		super(message, hint);
		this.isTimeout = isTimeout;
		this.status = status;
		this.retryAfter = retryAfter;
	}
}

/** Whether an error is an answer with this HTTP status. */
export function hasStatus(error: unknown, status: number): error is RequestError {
	return error instanceof RequestError && error.status === status;
}

/** Whether a request may succeed later: its failure is one of the outage, not of how we were called. */
export function mayPass(error: UserError): boolean {
	if (!(error instanceof RequestError)) return false;
	// What is forbidden may be allowed later, and much can be told without it.
	const mayChange = [403, 410, 429];
	return error.status === undefined || error.status >= 500 || mayChange.includes(error.status);
}

/**
 * The error for an answer that is not a success, by the API's own Status message where there is one.
 *
 * @param request what was asked: the method, a space, the path
 */
export function refused(
	status: number,
	body: unknown,
	request: string,
	retryAfter: Duration = 0,
): RequestError {
	// Some other server may have answered, with a page: its words are nobody's to record or serve.
	const said = textOf(fieldsOf<V1Status>(body).message).trim().replaceAll(/\s+/g, ' ');
	if (status === 401) {
		return new RequestError(
			'the server does not accept the credentials (401 Unauthorized)',
			'log in again, or check the user of this context: kubectl config view --minify',
			status,
		);
	}
	if (status === 403) {
		return new RequestError(
			said || `forbidden: ${request}`,
			'ask for a role that may get, list and watch this, or use another --context or --as',
			status,
		);
	}
	return new RequestError(
		`the server answered ${status} to ${request}${said === '' ? '' : `: ${said}`}`,
		status >= 500 || status === 429
			? 'the API server is in trouble or overloaded; try again in a moment'
			: 'check that the server is a Kubernetes API server: kubectl version',
		status,
		retryAfter,
	);
}

/** The error of a Status object that a watch sends in place of an event. */
export function refusedInWatch(status: unknown, path: string): RequestError {
	return refused(numberOf(fieldsOf<V1Status>(status).code) ?? 500, status, `GET ${path}`);
}

/** The error for a request that got no answer, or only a part of one. */
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

/** Whether an answer was awaited in vain. */
function timedOut(error: unknown): boolean {
	return /TIMEOUT|TIMEDOUT/.test(codeOf(error)) || (error instanceof Error && error.name === 'TimeoutError');
}

/** Whether the other side closed the connection before it answered. */
export function wasClosed(error: unknown): boolean {
	const code = codeOf(error);
	return (
		['UND_ERR_SOCKET', 'UND_ERR_INFO', 'ECONNRESET', 'EPIPE'].includes(code) || code.startsWith('ERR_HTTP2_')
	);
}

/** Whether a request failed because nothing came for too long. */
export function isSilence(error: unknown): boolean {
	return ['UND_ERR_BODY_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'].includes(codeOf(error));
}

const checkAddress = 'check that the API server is up, and its address: kubectl config view --minify';
