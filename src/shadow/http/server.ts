import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {messageOf, UserError} from '../../cluster/userError.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {Log} from '../log/log.ts';
import {type Answer, plainAnswer, type Route} from './answer.ts';
import type {ListenAddress} from './listenAddress.ts';

/** How long an answer that has begun may take once this stops. */
const gracePeriod: Duration = 5 * second;
/** Nobody needs more at a time to read one small page. */
const mostConnections = 64;

const securityHeaders = {
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
	'cross-origin-resource-policy': 'same-origin',
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};

/** A server that runs. */
export type RunningServer = {
	/** Where it can be asked: the port that it was given, or found free. */
	readonly url: string;
	/** Takes no new requests, and ends the present ones. */
	readonly close: () => Promise<void>;
};

/** Serves a few pages that are only ever read. @throws UserError where nothing can listen there. */
export async function startServer(
	address: ListenAddress,
	routes: Readonly<Record<string, Route>>,
	log: Log,
): Promise<RunningServer> {
	const server = createServer(
		{headersTimeout: 10 * second, requestTimeout: 15 * second, keepAliveTimeout: 65 * second},
		(request, response) => {
			void answerTo(request, routes, log).then((answer) => send(answer, request, response, server.listening));
		},
	);
	server.maxConnections = mostConnections;
	await listening(server, address);
	// Where no more files may be open, each connection that cannot be taken is an error; unheard, it would end the process.
	server.on('error', (error) => log.error('a connection cannot be taken', {error: messageOf(error)}));
	const {address: host, port, family} = server.address() as AddressInfo;
	return {
		url: `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`,
		close: () => closed(server),
	};
}

function send(
	{status, contentType, body, headers}: Answer,
	{method}: IncomingMessage,
	response: ServerResponse,
	mayAskAgain: boolean,
): void {
	const bytes = Buffer.from(body);
	response.writeHead(status, {
		...securityHeaders,
		'content-type': contentType,
		'content-length': bytes.length,
		// A connection that is kept would hold up the end.
		...(!mayAskAgain && {connection: 'close'}),
		...headers,
	});
	response.end(method === 'HEAD' ? undefined : bytes);
}

async function answerTo(
	{method = '', url = '/', headers}: IncomingMessage,
	routes: Readonly<Record<string, Route>>,
	log: Log,
): Promise<Answer> {
	const [path = '/'] = url.split('?');
	const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
	if (!route) return plainAnswer(404, `There is ${Object.keys(routes).toSorted().join(', ')}.\n`);
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

function listening(server: Server, {host, port}: ListenAddress): Promise<void> {
	return new Promise((resolve, reject) => {
		const failed = (error: Error) =>
			reject(
				new UserError(
					`cannot listen on ${host === undefined ? '' : host}:${port}: ${messageOf(error)}`,
					'choose another address or port with --listen; port 0 takes any that is free',
				),
			);
		server.once('error', failed);
		server.listen({port, ...(host !== undefined && {host})}, () => {
			server.off('error', failed);
			resolve();
		});
	});
}

async function closed(server: Server): Promise<void> {
	const end = new Promise<void>((resolve) => server.close(() => resolve()));
	server.closeIdleConnections();
	const timer = setTimeout(() => server.closeAllConnections(), gracePeriod);
	await end;
	clearTimeout(timer);
}
