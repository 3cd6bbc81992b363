import {PassThrough, type Readable, type Writable} from 'node:stream';
import {isDeepStrictEqual} from 'node:util';
import {anySignal} from '../../async/orAborted.ts';
import type {Timing} from '../../async/timing.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, never, second} from '../../core/time/instant.ts';
import {keepUrlSecrets} from '../../text/redact.ts';
import type {TextMap} from '../../text/textMap.ts';
import {UserError} from '../../text/userError.ts';
import type {Access} from '../access/access.ts';
import {expiryOf, readPem, rememberingFile} from '../access/certificates.ts';
import {type Credentials, impersonationHeaders, makeCredentials} from '../access/credentials.ts';
import type {Environment} from '../access/environment.ts';
import type {PluginAtWork} from '../access/execCredentials.ts';
import type {Credential} from '../access/kubeconfigEntries.ts';
import {statusOfProtobuf} from '../codec/page.ts';
import {parsedJson} from '../codec/rawJson.ts';
import {AnswerBody, type AnswerKind, isLateAnswer} from './answerBody.ts';
import {type Answer, bufferedRequest} from './bufferedRequest.ts';
import {ClockOffset, serverDate} from './clockOffset.ts';
import {type Connections, connectionsOf} from './connections.ts';
import {proxyFor} from './proxy.ts';
import {
	compressed,
	expired,
	isOfTls,
	isSilence,
	RequestError,
	refused,
	unreachable,
	wasClosed,
} from './requestError.ts';
import {type RequestLog, requestLog, silentLog} from './requestLog.ts';
import {Traffic} from './traffic.ts';

/** A plugin that takes longer than this to renew its credential is named. */
const slowPlugin: Duration = 5 * second;

export type Query = TextMap;

/** GET requests to one API server as one user, over kept-alive connections. It cannot send other methods. */
export class Transport {
	readonly clockOffset = new ClockOffset();
	readonly traffic = new Traffic();
	readonly #access: Access;
	readonly #credentials: Credentials;
	readonly timing: Timing;
	readonly #headers: Readonly<Record<string, string | string[]>>;
	readonly #connections: Connections;
	/** Ends streams on replaced connections, which would otherwise go on. */
	readonly #closing = new AbortController();
	readonly #readCa: () => Promise<string>;
	readonly #log: RequestLog;
	readonly #kind: string;

	constructor(
		access: Access,
		credentials: Credentials,
		connections: Connections,
		timing: Timing,
		log: RequestLog = silentLog,
		kind = 'Kubernetes API server',
	) {
		this.#kind = kind;
		this.#log = log;
		this.#access = access;
		this.#credentials = credentials;
		this.#connections = connections;
		const {caData, caFile} = access.cluster;
		this.#readCa = rememberingFile(() => readPem(caData, caFile, 'CA certificate'), timing.now);
		this.timing = timing;
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
	async json(
		path: string,
		query: Query = {},
		signal?: AbortSignal,
		kind: AnswerKind = 'object',
	): Promise<unknown> {
		const bytes = await this.bytes(path, query, 'application/json', kind, signal);
		const parsed = parsedJson(bytes.toString('utf8'));
		if (parsed === undefined) throw this.notUnderstood(path);
		return parsed;
	}

	/** Fetches a body. `onHead` gets its first bytes while the rest arrives, and again after a retry. @throws as `json` */
	async bytes(
		path: string,
		query: Query,
		accept: string,
		kind: AnswerKind,
		signal?: AbortSignal,
		onHead: (head: Buffer) => void = () => undefined,
	): Promise<Buffer> {
		const limit = this.#access.requestTimeout;
		const wholeSignal = anySignal(signal, limit ? AbortSignal.timeout(limit) : undefined);
		const encoding = this.#access.cluster.disableCompression ? 'identity' : 'gzip';
		const how = {silence: this.#answerTimeout, encoding, accept, signal: wholeSignal} as const;
		// A limit of the user's holds for the whole answer.
		const makeBody = (isGzip: boolean) => new AnswerBody(isGzip, kind, limit ? 0 : how.silence);
		const {body} = await this.#get(path, query, how, makeBody);
		return this.#readAll(body, path, onHead);
	}

	/** The error for a response that is not one of its kind of server. */
	notUnderstood(path: string): RequestError {
		return new RequestError(
			`${this.server.host} does not answer like a ${this.#kind}: no JSON at ${path}`,
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
			headersTimeout: this.#answerTimeout || this.timing.answerTimeout,
		} as const;
		const {body, headers} = await this.#get(path, query, how, () => new PassThrough());
		if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
			body.on('error', () => undefined).destroy();
			throw compressed(path, this.server);
		}
		this.traffic.watchOpened(body);
		return body;
	}

	/** The credential plugin that requests wait for. */
	get pluginAtWork(): PluginAtWork | undefined {
		return this.#credentials.pluginAtWork();
	}

	/** Said while a plugin keeps requests waiting: nothing is known of the server then. */
	get pluginProblem(): Problem | undefined {
		const {command, startedAt} = this.pluginAtWork ?? {};
		if (startedAt === undefined || this.timing.elapsed() - startedAt < slowPlugin) return undefined;
		const message = `the credential plugin ${command} does not answer, and no request is sent without it`;
		return {reason: 'CredentialsUnavailable', message};
	}

	/** Reads the CA certificate, as each request does. @throws UserError if it cannot be read */
	async readTrust(): Promise<void> {
		await this.#readCa();
	}

	/**
	 * Uses new connections for the next requests: if one was silent, the others may be dead too, and every request on them
	 * would time out. Running requests may complete.
	 */
	distrustConnections() {
		this.#connections.replaceAll();
	}

	/** Requests to another `kind` of server as the same user. That it refuses a credential says nothing of the API server, so none is renewed. */
	towards(access: Access, connections: Connections, kind: string): Transport {
		const credentials = {...this.#credentials, discard: () => undefined};
		return new Transport(access, credentials, connections, this.timing, this.#log, kind);
	}

	async close(): Promise<void> {
		this.#closing.abort();
		await Promise.all([this.#connections.close(), this.#credentials.close()]);
	}

	get #answerTimeout(): Duration {
		return this.#access.requestTimeout ?? this.timing.answerTimeout;
	}

	async #get<B extends Writable>(
		path: string,
		query: Query,
		how: How,
		makeBody: MakeBody<B>,
	): Promise<Answer<B>> {
		const request = `GET ${path}`;
		const credential = await this.#credential(how);
		const answer = await this.#send(path, query, how, credential, makeBody);
		if (answer.statusCode !== 401) return this.#accepted(answer, request, credential);

		this.#credentials.discard(credential);
		const renewed = await this.#credential(how);
		if (isDeepStrictEqual(renewed, credential)) return this.#accepted(answer, request, credential);
		await answer.refusal?.dump();
		const secondAnswer = await this.#send(path, query, how, renewed, makeBody);
		return this.#accepted(secondAnswer, request, renewed);
	}

	async #credential({signal}: How): Promise<Credential> {
		try {
			return await this.#credentials.current(signal);
		} catch (error) {
			const {pluginProblem} = this;
			if (pluginProblem) throw new UserError(pluginProblem.message, 'kubectl get nodes runs it as well');
			throw error instanceof UserError ? error : unreachable(error, this.server);
		}
	}

	async #send<B extends Writable>(
		path: string,
		query: Query,
		how: How,
		credential: Credential,
		makeBody: MakeBody<B>,
	): Promise<Answer<B>> {
		const url = new URL(this.server.pathname.replace(/\/$/, '') + path, this.server);
		url.search = new URLSearchParams(query).toString();
		const {authorization} = credential;
		const dispatcher = this.#connections.for(credential, await this.#readCa());
		const replaceIfSilent = (error: unknown) => {
			if (isSilence(error) || isLateAnswer(error)) this.#connections.replace(dispatcher);
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
		const sentAt = this.timing.now();
		this.traffic.asked();
		try {
			const ask = () => bufferedRequest(dispatcher, options, makeBody, how.signal);
			const answer = await ask().catch((error: unknown) => {
				// The server may close an idle connection just as it is used. Without a response, the request is repeated.
				if (!wasClosed(error) || how.signal.aborted) throw error;
				return ask();
			});
			answer.body.once('error', replaceIfSilent);
			this.traffic.answered();
			this.#log(url, options.headers, answer.statusCode, sentAt, this.timing.now());
			const date = serverDate(path, answer);
			if (date !== undefined) this.clockOffset.observe(date, sentAt, this.timing.now());
			return answer;
		} catch (error) {
			replaceIfSilent(error);
			this.#log(url, options.headers, undefined, sentAt, this.timing.now());
			// A server may close the connection instead of saying what is wrong.
			if (wasClosed(error) || isOfTls(error)) this.#checkExpiry(credential);
			throw unreachable(error, this.server, this.#connections.proxy);
		}
	}

	async #accepted<B>(answer: Answer<B>, request: string, credential: Credential): Promise<Answer<B>> {
		if (!answer.refusal) return answer;
		const {bytes, received} = await answer.refusal
			.read()
			.catch(() => ({bytes: Buffer.alloc(0), received: 0}));
		this.traffic.received(received);
		if (answer.statusCode === 401) this.#checkExpiry(credential);
		const retryAfter = Number(answer.headers['retry-after']) * second || 0;
		const statusObject = statusOfProtobuf(bytes) ?? parsedJson(String(bytes));
		throw refused(answer.statusCode, statusObject, request, retryAfter);
	}

	/** @throws RequestError if the client certificate has expired */
	#checkExpiry({certificate}: Credential) {
		const at = certificate ? expiryOf(certificate.cert) : never;
		if (at < this.timing.now()) throw expired(at, this.#access.user.name);
	}

	async #readAll(body: AnswerBody, path: string, onHead: (head: Buffer) => void): Promise<Buffer> {
		// A long list arrives over a while; it is not silence, but what drips is.
		body.onPart(() => this.traffic.answered());
		try {
			const {bytes, received} = await body.read(onHead);
			this.traffic.received(received);
			return bytes;
		} catch (error) {
			throw unreachable(error, this.server, this.#connections.proxy, path);
		}
	}
}

type How = Readonly<{
	silence: Duration;
	/** Timeout of the headers; defaults to that of the whole response. */
	headersTimeout?: Duration;
	encoding: 'gzip' | 'identity';
	accept: string;
	signal: AbortSignal;
}>;

type MakeBody<Body> = (isGzip: boolean) => Body;

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
	const transport = new Transport(access, credentials, connectionsOf(access, route), timing, log);
	await transport.readTrust();
	return transport;
}
