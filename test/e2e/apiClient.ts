import type {IncomingMessage} from 'node:http';
import {Agent, request as httpsRequest} from 'node:https';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';

/** A user of the API server: its address, and the PEM files of the credentials. */
export type Identity = {
	readonly server: string;
	readonly ca: string;
	readonly cert: string;
	readonly key: string;
};

export type WatchEvent<T> = {readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR'; readonly object: T};

export const mergePatch = 'application/strategic-merge-patch+json';

export class ApiError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

/** Runs a request for which one error status is as good as success: the object already exists, or is already gone. */
export async function unless(status: number, request: Promise<unknown>): Promise<void> {
	try {
		await request;
	} catch (error) {
		if (!(error instanceof ApiError && error.status === status)) throw error;
	}
}

/** A client of the API server that keeps its connections open. */
export class ApiClient {
	readonly #server: string;
	readonly #agent: Agent;
	readonly #userAgent: string;

	/** @param userAgent also the field manager of its writes: `kubelet/v1.36.3` writes as `kubelet` */
	constructor({server, ca, cert, key}: Identity, userAgent: string) {
		this.#server = server;
		this.#agent = new Agent({keepAlive: true, ca, cert, key});
		this.#userAgent = userAgent;
	}

	/** Returns the response's object, or its text if it is not JSON. */
	async request<T>(
		method: string,
		path: string,
		body?: unknown,
		contentType = 'application/json',
	): Promise<T> {
		const response = await this.#send(method, path, body, contentType);
		const answer = await text(response);
		const isJson = response.headers['content-type']?.startsWith('application/json');
		return (isJson ? JSON.parse(answer) : answer) as T;
	}

	/** Passes on all objects of a list and then each change; reconnects until the signal aborts. */
	async watch<T>(path: string, onEvent: (event: WatchEvent<T>) => void, signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			try {
				const response = await this.#send('GET', `${path}?watch=true`, undefined, undefined, signal);
				const lines = createInterface({input: response, crlfDelay: Number.POSITIVE_INFINITY});
				lines.on('line', (line) => onEvent(JSON.parse(line) as WatchEvent<T>));
				// An error also closes the stream, and only the close matters here.
				lines.on('error', () => {});
				await new Promise((resolve) => response.once('close', resolve));
			} catch {
				// The server is not up yet, or is gone; the next attempt shows it.
			}
			await sleep(200);
		}
	}

	close(): void {
		this.#agent.destroy();
	}

	async #send(
		method: string,
		path: string,
		body: unknown,
		contentType = 'application/json',
		signal?: AbortSignal,
	): Promise<IncomingMessage> {
		const payload = body === undefined ? '' : JSON.stringify(body);
		const response = await new Promise<IncomingMessage>((resolve, reject) => {
			const headers = {
				// Node.js omits it for DELETE; the server would then read the body as another request.
				...(payload !== '' && {'content-length': Buffer.byteLength(payload)}),
				accept: 'application/json',
				'content-type': contentType,
				'user-agent': this.#userAgent,
			};
			const options = {method, headers, agent: this.#agent, ...(signal && {signal})};
			const request = httpsRequest(new URL(path, this.#server), options, resolve).once('error', reject);
			request.end(payload);
		});
		const status = response.statusCode ?? 0;
		if (status >= 300) throw new ApiError(status, `${method} ${path}: ${status} ${await text(response)}`);
		return response;
	}
}
