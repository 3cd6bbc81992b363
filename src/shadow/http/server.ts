import {once} from 'node:events';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {setImmediate} from 'node:timers/promises';
import {type Duration, second} from '../../core/time/instant.ts';
import {messageOf, UserError} from '../../text/userError.ts';
import type {Log} from '../log.ts';
import {type HttpAnswer, type HttpRoute, plainAnswer} from './answer.ts';
import {isLoopback, type ListenAddress, namesLoopback} from './listenAddress.ts';

/** How long a running response may take after `close`. */
const gracePeriod: Duration = 5 * second;
/** Maximum number of connections; a small page needs few. */
const maxConnections = 64;
/** Scrapers return after seconds, and probes use new connections. */
const idleTimeout: Duration = 5 * second;
/** A client that reads no byte for this time is disconnected. */
const silenceTimeout: Duration = 30 * second;

const securityHeaders = {
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};

export type RunningServer = {
	/** Its URL, with the port that was given, or found free. */
	readonly url: string;
	/** Accepts no new requests, and ends the running ones. */
	readonly close: () => Promise<void>;
};

export type Routes = {
	/** Answered at once, regardless of other requests. */
	readonly probes: Readonly<Record<string, HttpRoute>>;
	/** Made one after another. */
	readonly pages: Readonly<Record<string, HttpRoute>>;
};

/** Starts a read-only server. @throws UserError if it cannot listen on the address */
export async function startServer(address: ListenAddress, routes: Routes, log: Log): Promise<RunningServer> {
	const timeouts = {
		headersTimeout: 10 * second,
		requestTimeout: 15 * second,
		connectionsCheckingInterval: 5 * second,
		keepAliveTimeout: idleTimeout,
	};
	const render = pageLimiter();
	let isLocal = false;
	const server = createServer(timeouts, (request, response) => {
		void answerTo(request, {...routes, isLocal, render, log}).then((answer) =>
			send(answer, request, response, server.listening),
		);
	});
	server.timeout = silenceTimeout;
	limitConnections(server, maxConnections);
	await listening(server, address);
	// If the process has no file descriptors left, each new connection emits an error, which would end the process without a
	// listener.
	server.on('error', (error) => log.error('a connection cannot be taken', {error: messageOf(error)}));
	const {address: host, port, family} = server.address() as AddressInfo;
	isLocal = isLoopback(host);
	return {
		url: `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`,
		close: () => closed(server),
	};
}

function send(
	{status, contentType, body, headers}: HttpAnswer,
	{method}: IncomingMessage,
	response: ServerResponse,
	mayAskAgain: boolean,
) {
	const bytes = Buffer.from(body);
	response.writeHead(status, {
		...securityHeaders,
		'content-type': contentType,
		'content-length': bytes.length,
		// A kept-alive connection would delay the shutdown.
		...(!mayAskAgain && {connection: 'close'}),
		...headers,
	});
	response.end(method === 'HEAD' ? undefined : bytes);
}

type Answering = Routes & {
	/** Whether the server listens on loopback only. */
	readonly isLocal: boolean;
	readonly render: ReturnType<typeof pageLimiter>;
	readonly log: Log;
};

async function answerTo(
	{method = '', url = '/', headers}: IncomingMessage,
	{probes, pages, isLocal, render, log}: Answering,
): Promise<HttpAnswer> {
	if (isLocal && !namesLoopback(headers.host ?? '')) {
		return plainAnswer(403, 'This is served to this machine alone, by the name of localhost.\n');
	}
	const [path = '/'] = url.split('?');
	const [probe, page] = [routeOf(probes, path), routeOf(pages, path)];
	const route: HttpRoute | undefined = probe ?? (page && ((own) => render(() => page(own))));
	if (!route) {
		const paths = Object.keys({...pages, ...probes}).toSorted();
		return plainAnswer(404, `Not found; this server has ${paths.join(', ')}.\n`);
	}
	if (method !== 'GET' && method !== 'HEAD') {
		return {...plainAnswer(405, 'This can only be read.\n'), headers: {allow: 'GET, HEAD'}};
	}
	try {
		return await route({accept: headers.accept ?? ''});
	} catch (error) {
		log.error('a page cannot be made', {path, error: error instanceof Error ? error.stack : String(error)});
		return plainAnswer(500, 'This page cannot be made; the log says why.\n');
	}
}

const routeOf = (routes: Readonly<Record<string, HttpRoute>>, path: string): HttpRoute | undefined =>
	Object.hasOwn(routes, path) ? routes[path] : undefined;

async function listening(server: Server, {host, port}: ListenAddress): Promise<void> {
	server.listen({port, ...(host !== undefined && {host})});
	await once(server, 'listening').catch((error: unknown) => {
		throw new UserError(
			`cannot listen on ${host ?? ''}:${port}: ${messageOf(error)}`,
			'choose another address or port with --listen; port 0 takes any that is free',
		);
	});
}

async function closed(server: Server): Promise<void> {
	const end = new Promise<void>((resolve) => server.close(() => resolve()));
	const timer = setTimeout(() => server.closeAllConnections(), gracePeriod);
	await end;
	clearTimeout(timer);
}

/**
 * Limits connections, but accepts each new one: closes the one that has been idle for longest or, if all are in use, the one
 * that has waited for longest. So a client with many connections does not block others.
 */
function limitConnections(server: Server, most: number) {
	/** Number of pending responses by connection; the one that was quiet for longest comes first. */
	const unanswered = new Map<Socket, number>();
	const change = (socket: Socket, by: number) => {
		const before = unanswered.get(socket);
		if (before === undefined) return;
		unanswered.delete(socket);
		unanswered.set(socket, before + by);
	};
	server.on('connection', (socket: Socket) => {
		if (unanswered.size >= most) {
			const all = [...unanswered];
			const [oldest] = all.find(([, answers]) => answers === 0) ?? all[0] ?? [];
			oldest?.destroy();
		}
		unanswered.set(socket, 0);
		socket.once('close', () => unanswered.delete(socket));
	});
	server.on('request', ({socket}, response) => {
		change(socket, 1);
		response.once('close', () => change(socket, -1));
	});
}

/** Maximum number of pages in progress: a few scrapers and browsers. */
const maxConcurrency = 16;

const busy: HttpAnswer = {
	...plainAnswer(503, 'Too many pages are asked for at once.\n'),
	headers: {'retry-after': '1'},
};

/**
 * Yields to the event loop before each page, so that many requests for pages of a large cluster delay a probe by one page
 * only. Requests beyond the limit are rejected.
 */
function pageLimiter() {
	let inProgress = 0;
	let lastStart: Promise<unknown> = Promise.resolve();
	/** Renders a page after earlier ones have started. @throws as `page` */
	return async (page: () => HttpAnswer | Promise<HttpAnswer>): Promise<HttpAnswer> => {
		if (inProgress >= maxConcurrency) return busy;
		inProgress += 1;
		lastStart = lastStart.then(() => setImmediate());
		try {
			await lastStart;
			return await page();
		} finally {
			inProgress -= 1;
		}
	};
}
