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
import {type RequestLog, requestLog, silentLog, Traffic} from './traffic.ts';

export type Query = Readonly<Record<string, string>>;

/** A whole answer, and in which of the accepted media types it came. */
export type Whole = {readonly bytes: Buffer; readonly mediaType: string};

/** GET requests to one API server as one user, over kept connections. It has no way to send another. */
export class Transport {
	readonly clockOffset = new ClockOffset();
	readonly traffic = new Traffic();
	readonly #access: Access;
	readonly #credentials: Credentials;
	readonly #timing: Timing;
	readonly #headers: Readonly<Record<string, string | string[]>>;
	readonly #connections: Connections;
	/** Ends streams of connections that were replaced, and would serve them out. */
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

	/** How many objects to ask for at a time, where somebody cares: zero means all at once. */
	get chunkSize(): number | undefined {
		return this.#access.chunkSize;
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
		const parsed = parsedJson(bytes.toString('utf8'));
		if (parsed === undefined) throw this.notUnderstood(path);
		return parsed;
	}

	/**
	 * Fetches something as a whole, in one of the media types that are accepted. Its first bytes are told while the others
	 * are still on their way, and again if an answer has to be asked for once more. @throws as `json`.
	 */
	async bytes(
		path: string,
		query: Query,
		accept: string,
		signal?: AbortSignal,
		onHead?: (head: Whole) => void,
	): Promise<Whole> {
		const limit = this.#access.requestTimeout;
		const wholeSignal = anySignal(signal, limit ? AbortSignal.timeout(limit) : undefined);
		const encoding = this.#access.cluster.disableCompression ? 'identity' : 'gzip';
		const how = {silence: this.#answerTimeout, encoding, accept, signal: wholeSignal} as const;
		const answer = await this.#get(path, query, how, buffered);
		const [mediaType = ''] = String(answer.headers['content-type']).split(';');
		return {bytes: await this.#readAll(answer, (bytes) => onHead?.({bytes, mediaType})), mediaType};
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
		const untilClosed = AbortSignal.any([signal, this.#closing.signal]);
		const how = {
			silence,
			encoding: 'identity',
			accept: 'application/json',
			signal: untilClosed,
			// Without a limit for whole requests, a server that never opens a watch would look like one without news.
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

	/** Reads the CA certificate, as each request does. @throws UserError where it cannot be read. */
	async readTrust(): Promise<void> {
		await this.#readCa();
	}

	/**
	 * Asks what comes next over new connections. Where one was silent for too long, the others may be as dead, and each
	 * request over one of them would be awaited in vain. What they have begun they may end.
	 */
	distrustConnections(): void {
		this.#connections.replaceAll();
	}

	/** Lets go of all connections. */
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
				// The server may close an idle connection just when we use it. As nothing was answered, ask again.
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
		const said = statusOfProtobuf(bytes) ?? parsedJson(String(bytes));
		throw refused(answer.statusCode, said === undefined ? String(bytes) : said, request, retryAfter);
	}

	async #readAll({body}: BufferedAnswer, onHead?: (head: Buffer) => void): Promise<Buffer> {
		// A long list comes for a while, and is no silence.
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
	/** How long the first of an answer may be awaited; as long as all of it where that is left out. */
	readonly headersTimeout?: Duration;
	readonly encoding: 'gzip' | 'identity';
	readonly accept: string;
	readonly signal: AbortSignal;
};

const isSame = (one: Credential, other: Credential) =>
	one.authorization === other.authorization && isSameCertificate(one.certificate, other.certificate);

/** Prepares the way to a cluster; the first request takes it. @throws UserError where a file cannot be read. */
export async function openTransport(
	access: Access,
	environment: Environment,
	timing: Timing,
): Promise<Transport> {
	const {cluster, server} = access;
	const proxy = proxyFor(server, cluster.proxyUrl, environment.env);
	if (proxy !== undefined) keepUrlSecrets(proxy);
	// The switch that Go's clients know, for servers and proxies that do not do it well.
	const route = {proxy, allowsHttp2: !environment.env['DISABLE_HTTP2']};
	const credentials = makeCredentials(access, environment, timing);
	const log = requestLog(access.verbosity ?? 0, environment.writeError);
	const transport = new Transport(access, credentials, new Connections(access, route), timing, log);
	await transport.readTrust();
	return transport;
}
