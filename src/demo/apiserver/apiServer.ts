import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import type {ObjectStore} from '../world/objectStore.ts';
import {systemTimers, type Timers} from '../world/timers.ts';
import {answer, type Served} from './answer.ts';
import type {ListOptions} from './listOptions.ts';
import {reviewOf} from './reviews.ts';
import {ApiError} from './status.ts';
import {type Rendering, renderTable} from './table.ts';
import {startWatch, type WatchEvent} from './watch.ts';

const loopback = '127.0.0.1';

export type ApiServerOptions = Omit<Served, 'store'> & {
	/** Zero takes any free port. */
	readonly port: number;
	/** Called before each request: runs everything that is due in the world by then. */
	readonly catchUp?: () => void;
	/** The real clock's timers, for bookmarks and timeouts. */
	readonly timers?: Timers;
};

export type ApiServer = Awaited<ReturnType<typeof startApiServer>>;

/** Thrown if another program listens on the port. The message is for the user. */
export class PortTakenError extends Error {
	constructor(port: number, cause: unknown) {
		super(`port ${port} on ${loopback} is already in use`, {cause});
		this.name = 'PortTakenError';
	}
}

/** Serves a store as a read-only Kubernetes API, over plain HTTP and on loopback only. */
export async function startApiServer(store: ObjectStore, options: ApiServerOptions) {
	const server = createServer((request, response) => {
		void handle({...options, store}, request, response);
	});
	server.listen(options.port, loopback);
	await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
		throw error.code === 'EADDRINUSE' ? new PortTakenError(options.port, error) : error;
	});
	const {port} = server.address() as AddressInfo;
	return {
		port,
		url: `http://${loopback}:${port}`,
		/** Ends all watches and connections and frees the port. */
		close: async () => {
			// A second call finds it closed.
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
}

type Serving = ApiServerOptions & Pick<Served, 'store'>;

async function handle(serving: Serving, request: IncomingMessage, response: ServerResponse) {
	serving.catchUp?.();
	// Clients compare this with their own clock, so it must be the clock that wrote the objects.
	response.setHeader('date', new Date(serving.now()).toUTCString());
	response.setHeader('cache-control', 'no-cache, private');
	// Real API servers set this header on each answer; clients use it to recognise whose Date it is.
	response.setHeader('audit-id', randomUUID());
	try {
		const {method = 'GET', url = '/', headers} = request;
		const [path = '/', query = ''] = url.split(/\?(.*)/s);
		const review = method === 'POST' ? reviewOf(path) : undefined;
		if (review) {
			send(response, 201, review(await buffer(request)));
			return;
		}
		if (method !== 'GET' && method !== 'HEAD')
			throw new ApiError(405, 'MethodNotAllowed', `the demo is read-only: ${method} is refused`, {});
		const reply = answer(serving, {path, query: new URLSearchParams(query), accept: headers.accept});
		if ('body' in reply) send(response, 200, reply.body);
		else streamWatch(serving, reply.rendering, reply.options, response);
	} catch (error) {
		const {status} = error instanceof ApiError ? error : internalError(error);
		send(response, status.code, status);
	}
}

// A bug here must not end the dashboard. The client gets the stack, because there is no log.
const internalError = (error: unknown) =>
	new ApiError(
		500,
		'InternalError',
		`bug in the demo: ${error instanceof Error ? error.stack : String(error)}`,
	);

/** @param body text, or what is written as JSON */
function send(response: ServerResponse, code: number, body: string | object) {
	const isText = typeof body === 'string';
	const bytes = Buffer.from(isText ? body : JSON.stringify(body));
	const contentType = isText ? 'text/plain; charset=utf-8' : 'application/json';
	response.writeHead(code, {'content-type': contentType, 'content-length': bytes.length});
	response.end(bytes);
}

// Ends the connection of a client that reads too slowly, as the API server does. The client can resume its watch,
// because the store keeps a history.
const maximumQueuedBytes = 64 * 1024 * 1024;

/** Streams a watch into a response, one JSON object per line, until either side ends it. */
function streamWatch(
	{store, timers = systemTimers, now}: Serving,
	rendering: Rendering,
	options: ListOptions,
	response: ServerResponse,
) {
	response.writeHead(200, {'content-type': 'application/json'});
	response.flushHeaders();
	const render = eventRenderer(rendering, now);
	const sink = {
		send: (event: WatchEvent) => {
			response.write(`${JSON.stringify({type: event.type, object: render(event)})}\n`);
			if (response.writableLength > maximumQueuedBytes) response.destroy();
		},
		end: () => void response.end(),
	};
	response.once('close', startWatch(store, rendering.resource, options, sink, timers));
}

function eventRenderer(rendering: Rendering, now: Served['now']) {
	let hasSentColumns = false;
	return (event: WatchEvent) => {
		if (event.type === 'ERROR' || !rendering.isTable) return event.object;
		const {resourceVersion} = event.object.metadata;
		const rows = event.type === 'BOOKMARK' ? [] : [event.object];
		const table = renderTable(rendering, rows, {resourceVersion}, now());
		// Only the first event has column definitions; kubectl prints its header for them.
		const columnDefinitions = hasSentColumns ? null : table.columnDefinitions;
		hasSentColumns = true;
		return {...table, columnDefinitions};
	};
}
