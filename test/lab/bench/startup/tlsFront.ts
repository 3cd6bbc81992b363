import {Agent, request} from 'node:http';
import {createSecureServer} from 'node:http2';
import type {AddressInfo} from 'node:net';
import {serverTls} from '../../../support/tlsFiles.ts';

/**
 * A front with TLS and HTTP/2, as clusters have, for an API server without.
 *
 * @returns its URL, and a function that closes it
 */
export async function tlsFront(behind: string): Promise<{readonly url: string; readonly close: () => void}> {
	const agent = new Agent({keepAlive: true});
	const server = createSecureServer({...serverTls, allowHTTP1: true}, (asked, answer) => {
		const own = Object.entries(asked.headers).filter(([name]) => !name.startsWith(':'));
		const headers = {...Object.fromEntries(own), host: new URL(behind).host};
		const passed = request(new URL(asked.url, behind), {agent, headers}, (answered) => {
			const {connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest} = answered.headers;
			answer.writeHead(answered.statusCode ?? 502, rest);
			answered.pipe(answer);
		});
		passed.once('error', () => answer.destroy());
		passed.end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	const close = () => {
		agent.destroy();
		server.close();
	};
	return {url: `https://127.0.0.1:${port}`, close};
}
