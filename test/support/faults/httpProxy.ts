import {once} from 'node:events';
import {
	createServer,
	Agent as HttpAgent,
	request as httpRequest,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import {createServer as createHttpsServer, Agent as HttpsAgent, request as httpsRequest} from 'node:https';
import type {AddressInfo, Server, Socket} from 'node:net';
import {pem} from '../tlsFiles.ts';
import type {Asked, Meddler} from './meddler.ts';
import {writeBody} from './writeBody.ts';

/** The API server behind the proxy, and the client's credentials. */
export type Upstream = {
	readonly url: string;
	readonly ca?: string;
	readonly cert?: string;
	readonly key?: string;
};

/**
 * An HTTP proxy on loopback in front of an API server, which answers in its place or changes its answers. With TLS it uses
 * test/support/tls/server.pem.
 */
export class HttpProxy {
	/** Every request so far. */
	readonly asked: Asked[] = [];
	readonly isTls: boolean;
	readonly #upstream: Upstream;
	readonly #agent: HttpAgent | HttpsAgent;
	readonly #server: Server;
	readonly #sockets = new Set<Socket>();
	readonly #watches = new Set<ServerResponse>();
	#meddlers: readonly Meddler[] = [];

	private constructor(upstream: Upstream, isTls: boolean) {
		this.isTls = isTls;
		this.#upstream = upstream;
		const {url, ...identity} = upstream;
		this.#agent = url.startsWith('https:')
			? new HttpsAgent({...identity, keepAlive: true})
			: new HttpAgent({keepAlive: true});
		const listener = (request: IncomingMessage, response: ServerResponse) => {
			this.#handle(request, response).catch(() => response.destroy());
		};
		const certificate = {cert: pem('server.pem'), key: pem('server-key.pem')};
		this.#server = isTls ? createHttpsServer(certificate, listener) : createServer(listener);
		this.#server.on('connection', (socket) => {
			this.#sockets.add(socket);
			socket.once('close', () => this.#sockets.delete(socket));
		});
	}

	static async start(upstream: Upstream, {isTls = false} = {}): Promise<HttpProxy> {
		const proxy = new HttpProxy(upstream, isTls);
		await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
		return proxy;
	}

	get port(): number {
		return (this.#server.address() as AddressInfo).port;
	}

	/** Applies a meddler to requests until the returned function is called. The newest meddler comes first. */
	meddle(meddler: Meddler): () => void {
		this.#meddlers = [meddler, ...this.#meddlers];
		return () => {
			this.#meddlers = this.#meddlers.filter((one) => one !== meddler);
		};
	}

	/** The requests for lists, or for watches, of a collection. */
	requests(resource: string, isWatch: boolean): readonly Asked[] {
		return this.asked.filter((asked) => asked.resource === resource && asked.isWatch === isWatch);
	}

	/** Cuts the watches that are open. */
	cutWatches(): void {
		for (const response of this.#watches) response.destroy();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		const closed = once(this.#server.close(), 'close');
		for (const socket of this.#sockets) socket.destroy();
		this.#agent.destroy();
		await closed;
	}

	async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? '', this.#upstream.url);
		const resource = /\/(nodes|leases|pods|events)$/.exec(url.pathname)?.[1] ?? '';
		const isWatch = url.searchParams.has('watch');
		const asked: Asked = {url, resource, isWatch, at: Date.now(), headers: request.headers};
		this.asked.push(asked);
		if (isWatch) {
			this.#watches.add(response);
			response.once('close', () => this.#watches.delete(response));
		}
		const meddlers = this.#meddlers.filter(({matches}) => matches(asked));
		for (const {until} of meddlers) await until;
		const canned = meddlers.find(({answer}) => answer)?.answer?.(asked);
		if (canned) {
			response.writeHead(canned.status, {'content-type': 'application/json', ...canned.headers});
			response.end(canned.body ?? '');
			return;
		}
		for (const meddler of meddlers) meddler.url?.(url);
		const answer = await this.#ask(url, request, meddlers, response);
		await writeBody(answer, response, asked, meddlers);
	}

	#ask(
		url: URL,
		{headers}: IncomingMessage,
		meddlers: readonly Meddler[],
		response: ServerResponse,
	): Promise<IncomingMessage> {
		const mustRead = meddlers.some(({list, event}) => list ?? event);
		// Answers that are changed must be plain JSON: no compression, no protobuf.
		const plain = mustRead && {accept: 'application/json', 'accept-encoding': 'identity'};
		const {authorization: _, host: __, connection: ___, ...others} = headers;
		const options = {agent: this.#agent, headers: {...others, ...plain}};
		const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
		const {promise, resolve, reject} = Promise.withResolvers<IncomingMessage>();
		const asking = send(url, options, resolve).once('error', reject);
		response.once('close', () => asking.destroy());
		asking.end();
		return promise;
	}
}
