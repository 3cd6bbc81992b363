import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Fleet} from './fleet.ts';

/** Serves a small HTTP API on loopback to stop and start nodes by hand; returns its address. */
export async function serveRemoteControl(fleet: Fleet): Promise<string> {
	const server = createServer((request, response) => void answer(fleet, request, response));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function answer(fleet: Fleet, request: IncomingMessage, response: ServerResponse): Promise<void> {
	const {pathname, searchParams} = new URL(request.url ?? '/', 'http://localhost');
	const names = [
		...searchParams.getAll('node'),
		...searchParams.getAll('zone').flatMap((zone) => fleet.namesIn(zone)),
	];
	try {
		if (pathname === '/stop') fleet.stop(names);
		else if (pathname === '/start') await fleet.start(names);
		else if (pathname !== '/') response.statusCode = 404;
		response.end(
			fleet.kubelets.map(({name, isAlive}) => `${name} ${isAlive ? 'alive' : 'stopped'}\n`).join(''),
		);
	} catch (error) {
		response.statusCode = 500;
		response.end(`${error}\n`);
	}
}
