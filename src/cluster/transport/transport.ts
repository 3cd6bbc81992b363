import type {Readable} from 'node:stream';
import {anySignal} from '../../async/orAborted.ts';
import type {Timing} from '../../async/timing.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {keepUrlSecrets} from '../../text/redact.ts';
import {UserError} from '../../text/userError.ts';
import type {Access} from '../access/access.ts';
import {readPem, rememberingFile} from '../access/certificates.ts';
import {type Credentials, impersonationHeaders, makeCredentials} from '../access/credentials.ts';
import type {Environment} from '../access/environment.ts';
import type {PluginAtWork} from '../access/execCredentials.ts';
import type {Credential} from '../access/kubeconfigEntries.ts';
import {statusOfProtobuf} from '../codec/page.ts';
import {parsedJson} from '../codec/rawJson.ts';
import {type AnswerHead, type BufferedAnswer, buffered, type Exchange, streamed} from './bufferedRequest.ts';
import {ClockOffset, serverDate} from './clockOffset.ts';
import {Connections, isSameCertificate} from './connections.ts';
import {proxyFor} from './proxy.ts';
import {isSilence, RequestError, refused, unreachable, wasClosed} from './requestError.ts';
import {type RequestLog, requestLog, silentLog} from './requestLog.ts';
import {Traffic} from './traffic.ts';

export type Query = Readonly<Record<string, string>>;

export type WholeResponse = {readonly bytes: Buffer; readonly mediaType: string};

/** GET requests to one API server as one user, over kept-alive connections. It cannot send other methods. */
export class Transport {
	readonly clockOffset = new ClockOffset();
	readonly traffic = new Traffic();
	readonly #access: Access;
	readonly #credentials: Credentials;
	readonly #timing: Timing;
	readonly #headers: Readonly<Record<string, string | string[]>>;
	readonly #connections: Connections;
	/** Ends streams on replaced connections, which would otherwise go on. */
	readonly #closing = new AbortController();
	readonly #readCa: () => Promise<string>;
	readonly #log: RequestLog;

	constructor(
		access: Access,
		credentials: Credentials,
		connections: Connections,
		timing: Timing,
		log: RequestLog = silentLog,
	) {
		this.#log = log;
		this.#access = access;
		this.#credentials = credentials;
		this.#connections = connections;
		const {caData, caFile} = access.cluster;
		this.#readCa = rememberingFile(() => readPem(caData, caFile, 'CA certificate'), timing.now);
		this.#timing = timing;
		this.#headers = {
			'user-agent': 'kubectl-evictwatch',
			...impersonationHeaders(access.user),
		};
	}

	/** The page size of `--chunk-size`, if given; zero means no pages. */
	get chunkSize(): number | undefined {
		return this.#access.chunkSize;
	}

	get server(): URL {
		return this.#access.server;
	}

	/**
	 * Fetches JSON.
	 *
	 * @throws RequestError if the request times out or is refused; UserError if the credentials fail
	 */
	async json(path: string, query: Query = {}, signal?: AbortSignal): Promise<unknown> {
		const {bytes} = await this.bytes(path, query, 'application/json', signal);
		const parsed = parsedJson(bytes.toString('utf8'));
		if (parsed === undefined) throw this.notUnderstood(path);
		return parsed;
	}

	/** Fetches a body. `onHead` gets its first bytes while the rest arrives, and again after a retry. @throws as `json` */
	async bytes(
		path: string,
		query: Query,
		accept: string,
		signal?: AbortSignal,
		onHead?: (head: WholeResponse) => void,
	): Promise<WholeResponse> {
		const limit = this.#access.requestTimeout;
		const wholeSignal = anySignal(signal, limit ? AbortSignal.timeout(limit) : undefined);
		const encoding = this.#access.cluster.disableCompression ? 'identity' : 'gzip';
		const how = {silence: this.#answerTimeout, encoding, accept, signal: wholeSignal} as const;
		const answer = await this.#get(path, query, how, buffered);
		const [mediaType = ''] = String(answer.headers['content-type']).split(';');
		return {bytes: await this.#readAll(answer, (bytes) => onHead?.({bytes, mediaType})), mediaType};
	}

	/** The error for a response that is not an API server's. */
	notUnderstood(path: string): RequestError {
		return new RequestError(
			`${this.server.host} does not answer like a Kubernetes API server: no JSON at ${path}`,
			'check the address of the server, and whether a proxy or a login page is in between',
		);
	}

	/** Opens a response that lasts for minutes. The stream fails after `silence` without data. @throws as `json` */
	async stream(path: string, query: Query, silence: Duration, signal: AbortSignal): Promise<Readable> {
		const untilClosed = AbortSignal.any([signal, this.#closing.signal]);
		const how = {
			silence,
			encoding: 'identity',
			accept: 'application/json',
			signal: untilClosed,
			// Set even if the user wants no timeout: a server that never opens a watch would look idle.
			headersTimeout: this.#answerTimeout || this.#timing.answerTimeout,
		} as const;
		const {body} = await this.#get(path, query, how, streamed);
		this.traffic.watchOpened(body);
		return body;
	}

	/** The credential plugin that requests wait for. */
	get pluginAtWork(): PluginAtWork | undefined {
		return this.#credentials.pluginAtWork();
	}

	/** Reads the CA certificate, as each request does. @throws UserError if it cannot be read */
	async readTrust(): Promise<void> {
		await this.#readCa();
	}

	/**
	 * Uses new connections for the next requests: if one was silent, the others may be dead too, and every request on them
	 * would time out. Running requests may complete.
	 */
	distrustConnections(): void {
		this.#connections.replaceAll();
	}

	async close(): Promise<void> {
		this.#closing.abort();
		await Promise.all([this.#connections.close(), this.#credentials.close()]);
	}

	get #answerTimeout(): Duration {
		return this.#access.requestTimeout ?? this.#timing.answerTimeout;
	}

	async #get<A extends AnswerHead>(path: string, query: Query, how: How, exchange: Exchange<A>): Promise<A> {
		const request = `GET ${path}`;
		const credential = await this.#credential(how);
		const answer = await this.#send(path, query, how, credential, exchange);
		if (answer.statusCode !== 401) return this.#accepted(answer, request, exchange);

		this.#credentials.discard(credential);
		const renewed = await this.#credential(how);
		if (isSame(renewed, credential)) return this.#accepted(answer, request, exchange);
		await answer.body.dump();
		return this.#accepted(await this.#send(path, query, how, renewed, exchange), request, exchange);
	}

	async #credential({signal}: How): Promise<Credential> {
		try {
			return await this.#credentials.current(signal);
		} catch (error) {
			throw error instanceof UserError ? error : unreachable(error, this.server);
		}
	}

	async #send<A extends AnswerHead>(
		path: string,
		query: Query,
		how: How,
		credential: Credential,
		{ask}: Exchange<A>,
	): Promise<A> {
		const url = new URL(this.server.pathname.replace(/\/$/, '') + path, this.server);
		url.search = new URLSearchParams(query).toString();
		const {authorization} = credential;
		const dispatcher = this.#connections.for(credential, await this.#readCa());
		const replaceIfSilent = (error: unknown) => {
			if (isSilence(error)) this.#connections.replace(dispatcher);
		};
		const options = {
			origin: url.origin,
			path: `${url.pathname}${url.search}`,
			method: 'GET',
			headers: {
				...this.#headers,
				accept: how.accept,
				'accept-encoding': how.encoding,
				...(authorization && {authorization}),
			},
			headersTimeout: how.headersTimeout ?? this.#answerTimeout,
			bodyTimeout: how.silence,
		} as const;
		const sentAt = this.#timing.now();
		this.traffic.asked();
		try {
			const answer = await ask(dispatcher, options, how.signal, replaceIfSilent).catch((error: unknown) => {
				// The server may close an idle connection just as it is used. Without a response, the request is repeated.
				if (!wasClosed(error) || how.signal.aborted) throw error;
				return ask(dispatcher, options, how.signal, replaceIfSilent);
			});
			this.traffic.answered();
			this.#log(url, options.headers, answer.statusCode, sentAt, this.#timing.now());
			const date = serverDate(path, answer);
			if (date !== undefined) this.clockOffset.observe(date, sentAt, this.#timing.now());
			return answer;
		} catch (error) {
			replaceIfSilent(error);
			this.#log(url, options.headers, undefined, sentAt, this.#timing.now());
			throw unreachable(error, this.server);
		}
	}

	async #accepted<A extends AnswerHead>(answer: A, request: string, {readRefusal}: Exchange<A>): Promise<A> {
		if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
		const {bytes, received} = await readRefusal(answer).catch(() => ({bytes: Buffer.alloc(0), received: 0}));
		this.traffic.received(received);
		const retryAfter = Number(answer.headers['retry-after']) * second || 0;
		const statusObject = statusOfProtobuf(bytes) ?? parsedJson(String(bytes));
		throw refused(answer.statusCode, statusObject, request, retryAfter);
	}

	async #readAll({body}: BufferedAnswer, onHead?: (head: Buffer) => void): Promise<Buffer> {
		// A long list arrives over a while; it is not silence.
		body.onPart(() => this.traffic.answered());
		try {
			const {bytes, received} = await body.read(onHead);
			this.traffic.received(received);
			return bytes;
		} catch (error) {
			throw unreachable(error, this.server);
		}
	}
}

type How = {
	readonly silence: Duration;
	/** Timeout of the headers; defaults to that of the whole response. */
	readonly headersTimeout?: Duration;
	readonly encoding: 'gzip' | 'identity';
	readonly accept: string;
	readonly signal: AbortSignal;
};

const isSame = (one: Credential, other: Credential) =>
	one.authorization === other.authorization && isSameCertificate(one.certificate, other.certificate);

/** Prepares a transport; the first request connects. @throws UserError if a file cannot be read */
export async function openTransport(
	access: Access,
	environment: Environment,
	timing: Timing,
): Promise<Transport> {
	const {cluster, server} = access;
	const proxy = proxyFor(server, cluster.proxyUrl, environment.env);
	if (proxy !== undefined) keepUrlSecrets(proxy);
	// The switch of Go's clients, for servers and proxies with faulty HTTP/2.
	const route = {proxy, allowsHttp2: !environment.env['DISABLE_HTTP2']};
	const credentials = makeCredentials(access, environment, timing);
	const log = requestLog(access.verbosity ?? 0, environment.writeError);
	const transport = new Transport(access, credentials, new Connections(access, route), timing, log);
	await transport.readTrust();
	return transport;
}
