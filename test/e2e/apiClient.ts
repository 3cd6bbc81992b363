import type {IncomingMessage} from 'node:http';
import {Agent, request as httpsRequest} from 'node:https';
import {createInterface} from 'node:readline';
import {text} from 'node:stream/consumers';
import {setTimeout as sleep} from 'node:timers/promises';

/** A user of the API server: where it is, and the PEM files that say who asks. */
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

/** Runs a request whose failure by one status is as good as success: the object is there already, or gone already. */
export async function unless(status: number, request: Promise<unknown>): Promise<void> {
	try {
		await request;
	} catch (error) {
		if (!(error instanceof ApiError && error.status === status)) throw error;
	}
}

/** Talks to the API server over connections that stay open. */
export class ApiClient {
	readonly #server: string;
	readonly #agent: Agent;
	readonly #userAgent: string;

	/** The user agent becomes the manager of the fields it writes: `kubelet/v1.36.3` writes as `kubelet`. */
	constructor({server, ca, cert, key}: Identity, userAgent: string) {
		this.#server = server;
		this.#agent = new Agent({keepAlive: true, ca, cert, key});
		this.#userAgent = userAgent;
	}

	/** The answer's object, or its text where it is no JSON. */
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

	/** Hands over all objects of a list and then each change, reconnecting until the signal comes. */
	async watch<T>(path: string, onEvent: (event: WatchEvent<T>) => void, signal: AbortSignal): Promise<void> {
		while (!signal.aborted) {
			try {
				const response = await this.#send('GET', `${path}?watch=true`, undefined, undefined, signal);
				const lines = createInterface({input: response, crlfDelay: Number.POSITIVE_INFINITY});
				lines.on('line', (line) => onEvent(JSON.parse(line) as WatchEvent<T>));
				// What breaks the stream closes it as well, and closing is all that matters here.
				lines.on('error', () => {});
				await new Promise((resolve) => response.once('close', resolve));
			} catch {
				// The server is not up yet, or it is gone: the next attempt tells.
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
				// Node.js leaves it out of a DELETE: the server would take the body for another request.
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
