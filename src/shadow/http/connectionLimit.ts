import type {Server} from 'node:http';
import type {Socket} from 'node:net';

/**
 * Keeps a server at so many connections, and takes each new one: it closes the one that has been idle for longest, or,
 * where an answer is on its way on all of them, the one that has waited for longest. So whoever holds many shuts nobody out.
 */
export function limitConnections(server: Server, most: number): void {
	/** The answers that each connection waits for; the connection that was quiet for longest comes first. */
	const unanswered = new Map<Socket, number>();
	const change = (socket: Socket, by: number): void => {
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
