import {once} from 'node:events';
import {createServer as createHttpServer, request as httpRequest} from 'node:http';
import {createServer as createHttpsServer, type ServerOptions} from 'node:https';
import {type AddressInfo, connect, createServer, type Server, type Socket} from 'node:net';

/** A proxy on loopback that records the requested targets, and connects to one target in all cases. */
type TestProxy = AsyncDisposable & {readonly port: number; readonly asked: readonly string[]};

/** An HTTP proxy, or an HTTPS one: it tunnels https, and forwards http requests. */
export async function startHttpProxy(target: URL, tls?: ServerOptions): Promise<TestProxy> {
	const asked: string[] = [];
	const proxy = tls ? createHttpsServer(tls) : createHttpServer();
	proxy.on('request', (request, response) => {
		asked.push(`${request.method} ${request.url}`);
		const {pathname} = new URL(request.url ?? '');
		httpRequest(new URL(pathname, target), {headers: request.headers}, (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		}).end();
	});
	proxy.on('connect', (request, socket: Socket) => {
		asked.push(`CONNECT ${request.url}`);
		tunnel(socket, target, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
	});
	return started(proxy, asked);
}

/** A SOCKS 5 proxy without a password. */
export async function startSocksProxy(target: URL, address = '127.0.0.1'): Promise<TestProxy> {
	const asked: string[] = [];
	const proxy = createServer(async (socket) => {
		socket.on('error', () => socket.destroy());
		await once(socket, 'readable');
		socket.read();
		socket.write(Buffer.from([5, 0]));
		await once(socket, 'readable');
		const message = socket.read() as Buffer;
		const [length, host] = socksAddress(message);
		asked.push(`${host}:${message.readUInt16BE(length)}`);
		tunnel(socket, target, () => socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0])));
	});
	return started(proxy, asked, address);
}

/** The host that a SOCKS request names, and where it ends. */
function socksAddress(message: Buffer): readonly [end: number, host: string] {
	const end = 5 + (message[4] ?? 0);
	if (message[3] === 3) return [end, message.subarray(5, end).toString()];
	if (message[3] === 1) return [8, [...message.subarray(4, 8)].join('.')];
	return [20, `[${message.subarray(4, 20).toString('hex')}]`];
}

function tunnel(socket: Socket, target: URL, onOpen: () => void): void {
	const onward = connect(Number(target.port), '127.0.0.1', () => {
		onOpen();
		onward.pipe(socket).pipe(onward);
	});
	onward.on('error', () => socket.destroy());
	socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
}

async function started(server: Server, asked: readonly string[], address = '127.0.0.1'): Promise<TestProxy> {
	const sockets = new Set<Socket>();
	server.on('connection', (socket) => sockets.add(socket));
	server.listen(0, address);
	await once(server, 'listening');
	return {
		port: (server.address() as AddressInfo).port,
		asked,
		[Symbol.asyncDispose]: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
