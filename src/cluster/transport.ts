import type {Readable} from 'node:stream';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {type Dispatcher, request} from 'undici';
import {type Duration, second} from '../core/time/instant.ts';
import type {Access} from './access.ts';
import {ClockOffset} from './clockOffset.ts';
import type {Credential} from './credential.ts';
import {type Credentials, makeCredentials} from './credentials.ts';
import {makeDispatcher, type Route} from './dispatcher.ts';
import {impersonationHeaders} from './impersonation.ts';
import {readPem} from './pem.ts';
import {proxyFor} from './proxy.ts';
import {RequestError, refused, unreachable, wasClosed} from './requestError.ts';
import type {Surroundings} from './surroundings.ts';
import type {Timing} from './timing.ts';
import {Traffic} from './traffic.ts';

export type Query = Readonly<Record<string, string>>;

type Answer = Dispatcher.ResponseData;

/** A whole answer, and in which of the accepted media types it came. */
export type Whole = {readonly bytes: Buffer; readonly mediaType: string};

const inflate = promisify(gunzip);

/** GET requests to one API server as one user, over kept connections. It knows no other verb. */
export class Transport {
	readonly clockOffset = new ClockOffset();
	readonly traffic = new Traffic();
	readonly #access: Access;
	readonly #credentials: Credentials;
	readonly #route: Route;
	readonly #timing: Timing;
	readonly #headers: Readonly<Record<string, string | string[]>>;
	#connections: {readonly dispatcher: Dispatcher; readonly credential: Credential} | undefined;

	constructor(access: Access, credentials: Credentials, route: Route, timing: Timing) {
		this.#access = access;
		this.#credentials = credentials;
		this.#route = route;
		this.#timing = timing;
		this.#headers = {
			'user-agent': 'kubectl-evictwatch',
			...impersonationHeaders(access.user),
		};
	}

	get server(): URL {
		return this.#access.server;
	}

	/**
	 * Fetches JSON as a whole.
	 *
	 * @throws RequestError where it does not come in time, or is refused; UserError where the credentials fail.
	 */
	async json(path: string, query: Query = {}, signal?: AbortSignal): Promise<unknown> {
		const {bytes} = await this.bytes(path, query, 'application/json', signal);
		try {
			return JSON.parse(bytes.toString('utf8'));
		} catch {
			throw this.notUnderstood(path);
		}
	}

	/** Fetches something as a whole, in one of the media types that are accepted. @throws as `json`. */
	async bytes(path: string, query: Query, accept: string, signal?: AbortSignal): Promise<Whole> {
		const limit = this.#access.requestTimeout;
		const signals = [signal, limit ? AbortSignal.timeout(limit) : undefined].filter(
			(one) => one !== undefined,
		);
		const wholeSignal = AbortSignal.any(signals);
		const encoding = this.#access.cluster.disableCompression ? 'identity' : 'gzip';
		const answer = await this.#get(path, query, {
			silence: this.#answerTimeout,
			encoding,
			accept,
			signal: wholeSignal,
		});
		const [mediaType = ''] = String(answer.headers['content-type']).split(';');
		return {bytes: await this.#readAll(answer), mediaType};
	}

	/** The error for an answer that is not what an API server says. */
	notUnderstood(path: string): RequestError {
		return new RequestError(
			`${this.server.host} does not answer like a Kubernetes API server: no JSON at ${path}`,
			'check the address of the server, and whether a proxy or a login page is in between',
		);
	}

	/** Opens an answer that goes on for minutes. The stream fails after such a silence. @throws as `json`. */
	async stream(path: string, query: Query, silence: Duration, signal: AbortSignal): Promise<Readable> {
		const how = {silence, encoding: 'identity', accept: 'application/json', signal} as const;
		const {body} = await this.#get(path, query, how);
		this.traffic.watchOpened(body);
		return body;
	}

	/** Lets go of all connections. */
	async close(): Promise<void> {
		await this.#connections?.dispatcher.destroy();
		this.#connections = undefined;
	}

	get #answerTimeout(): Duration {
		return this.#access.requestTimeout ?? this.#timing.answerTimeout;
	}

	async #get(path: string, query: Query, how: How): Promise<Answer> {
		const credential = await this.#credentials.current();
		const answer = await this.#send(path, query, how, credential);
		if (answer.statusCode !== 401) return this.#accepted(answer, path);

		this.#credentials.discard(credential);
		const renewed = await this.#credentials.current();
		if (isSame(renewed, credential)) return this.#accepted(answer, path);
		await answer.body.dump();
		return this.#accepted(await this.#send(path, query, how, renewed), path);
	}

	async #send(path: string, query: Query, how: How, credential: Credential): Promise<Answer> {
		const url = new URL(this.server.pathname.replace(/\/$/, '') + path, this.server);
		url.search = new URLSearchParams(query).toString();
		const {authorization} = credential;
		const options = {
			dispatcher: this.#dispatcherFor(credential),
			headers: {
				...this.#headers,
				accept: how.accept,
				'accept-encoding': how.encoding,
				...(authorization && {authorization}),
			},
			headersTimeout: this.#answerTimeout,
			bodyTimeout: how.silence,
			signal: how.signal,
		};
		const sentAt = this.#timing.now();
		this.traffic.asked();
		try {
			const answer = await request(url, options).catch((error: unknown) => {
				// The server may close an idle connection just when we use it. As nothing was answered, ask again.
				if (!wasClosed(error) || how.signal.aborted) throw error;
				return request(url, options);
			});
			const {date} = answer.headers;
			if (typeof date === 'string') this.clockOffset.observe(date, sentAt, this.#timing.now());
			return answer;
		} catch (error) {
			throw unreachable(error, this.server);
		}
	}

	async #accepted(answer: Answer, path: string): Promise<Answer> {
		if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
		const text = await this.#readAll(answer).then(String, () => '');
		const retryAfter = Number(answer.headers['retry-after']) * second || 0;
		throw refused(answer.statusCode, parseIfJson(text), path, retryAfter);
	}

	async #readAll(answer: Answer): Promise<Buffer> {
		try {
			const bytes = Buffer.from(await answer.body.arrayBuffer());
			this.traffic.received(bytes.length);
			return answer.headers['content-encoding'] === 'gzip' ? await inflate(bytes) : bytes;
		} catch (error) {
			throw unreachable(error, this.server);
		}
	}

	// Connections are made with a client certificate, so a new certificate means new connections. The old ones serve
	// out what they have begun.
	#dispatcherFor(credential: Credential): Dispatcher {
		const {certificate} = credential;
		if (this.#connections && isSameCertificate(this.#connections.credential, credential)) {
			return this.#connections.dispatcher;
		}
		this.#connections?.dispatcher.close().catch(() => undefined);
		const dispatcher = makeDispatcher(this.#access, this.#route, certificate);
		this.#connections = {dispatcher, credential};
		return dispatcher;
	}
}

type How = {
	readonly silence: Duration;
	readonly encoding: 'gzip' | 'identity';
	readonly accept: string;
	readonly signal: AbortSignal;
};

const isSameCertificate = (one: Credential, other: Credential) =>
	one.certificate?.cert === other.certificate?.cert && one.certificate?.key === other.certificate?.key;

const isSame = (one: Credential, other: Credential) =>
	one.authorization === other.authorization && isSameCertificate(one, other);

function parseIfJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Prepares the way to a cluster; the first request takes it. @throws UserError where a file cannot be read. */
export async function openTransport(
	access: Access,
	surroundings: Surroundings,
	timing: Timing,
): Promise<Transport> {
	const {cluster, server} = access;
	const ca = await readPem(cluster.certificateAuthorityData, cluster.certificateAuthority, 'CA certificate');
	const proxy = proxyFor(server, cluster.proxyUrl, surroundings.env);
	return new Transport(access, makeCredentials(access, surroundings, timing.now), {ca, proxy}, timing);
}
