import {createServer, type IncomingHttpHeaders, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';

/** One POST, as a receiver got it. */
export type Posted = {readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: unknown};

/** A receiver of notifications on loopback, which answers as it is told to. */
export class Receiver {
	readonly posts: Posted[] = [];
	/** The status of the next answers, in turn; 200 once they are used up. */
	readonly statuses: number[] = [];
	/** What each answer says in Retry-After, in seconds. */
	retryAfter = '0';
	/** Is awaited before each answer. */
	before: () => Promise<void> = () => Promise.resolve();
	readonly #server: Server;
	#waiting: {readonly count: number; readonly resolve: () => void}[] = [];

	private constructor() {
		this.#server = createServer(async (request, response) => {
			this.posts.push({
				path: request.url ?? '',
				headers: request.headers,
				body: JSON.parse(await text(request)),
			});
			for (const {count, resolve} of this.#waiting) if (this.posts.length >= count) resolve();
			await this.before();
			const status = this.statuses.shift() ?? 200;
			response.writeHead(status, {
				...(status === 302 && {location: '/elsewhere'}),
				'retry-after': this.retryAfter,
			});
			response.end('taken');
		});
	}

	static async start(): Promise<Receiver> {
		const receiver = new Receiver();
		await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
		return receiver;
	}

	url(path: string): URL {
		return new URL(path, `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
	}

	/** Resolves once so many posts have come. */
	async came(count: number): Promise<void> {
		if (this.posts.length >= count) return;
		await new Promise<void>((resolve) => this.#waiting.push({count, resolve}));
	}

	close(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}
