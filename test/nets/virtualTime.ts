import {subscribe} from 'node:diagnostics_channel';
import {Socket} from 'node:net';
import {mock} from 'node:test';

/** When virtual time begins, for all clocks and timers of this process. */
export const virtualStart = Date.UTC(2026, 0, 31, 14, 0, 0);

/** Time passes in steps of so many milliseconds, between which what is sent arrives. */
const step = 250;
/** And in these within a step: a timer that is due sees the time of its end. */
const tick = 25;

/** Turns of the event loop in which nothing comes, and nothing is under way, after which nothing more happens until time passes. */
const quietTurns = 150;
let turnsSinceTraffic = 0;

/** The open sockets of this process: both ends of each of its connections. */
const sockets = new Set<Socket>();

function follow(message: unknown): void {
	const {socket} = message as {socket: Socket};
	sockets.add(socket);
	socket.once('close', () => sockets.delete(socket));
}

/** Stops the clocks of this process; time passes only in `pass`. Sockets work as ever. */
export function stopClocks(): void {
	mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date'], now: virtualStart});
	// Its own timers are none of the event loop's.
	AbortSignal.timeout = (delay) => {
		const controller = new AbortController();
		setTimeout(() => controller.abort(new DOMException('it took too long', 'TimeoutError')), delay);
		return controller.signal;
	};
	Object.defineProperty(performance, 'timeOrigin', {value: virtualStart});
	Object.defineProperty(performance, 'now', {value: () => Date.now() - virtualStart});
	subscribe('net.client.socket', follow);
	subscribe('net.server.socket', follow);
	const {emit} = Socket.prototype;
	Socket.prototype.emit = function (this: Socket, ...event: Parameters<typeof emit>) {
		turnsSinceTraffic = 0;
		return emit.apply(this, event);
	} as typeof emit;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Turns after which something goes on that waits for no time to pass, as a loop of requests does. */
const mostTurns = 2_000_000;

/** Waits until nothing happens any more at this instant, however busy the machine is. */
export async function quiet(): Promise<void> {
	let turns = 0;
	for (turnsSinceTraffic = 0; turnsSinceTraffic < quietTurns; turnsSinceTraffic++) {
		await turn();
		if (++turns > mostTurns)
			throw new Error(`it never comes to rest: ${[...new Set(process.getActiveResourcesInfo())].join(', ')}`);
		if (isWorking() || areBytesUnderWay()) turnsSinceTraffic = 0;
	}
}

/** Files, modules among them, that are being read or written, connections that are being made, and what is being packed. */
const isWorking = () =>
	process.getActiveResourcesInfo().some((resource) => /^FSReq|Connect|GetAddr|Zlib/i.test(resource));

/** Whether the kernel still has bytes, or the end, of a connection whose other end is read. */
function areBytesUnderWay(): boolean {
	const ends = new Map([...sockets].map((socket) => [`${socket.localPort} ${socket.remotePort}`, socket]));
	return [...sockets].some((socket) => {
		const other = ends.get(`${socket.remotePort} ${socket.localPort}`);
		return !other || (isRead(other) && other.bytesRead < socket.bytesWritten);
	});
}

const isRead = (socket: Socket) =>
	(socket as unknown as {_handle: {reading: boolean} | null})._handle?.reading ?? false;

export async function pass(duration: number): Promise<void> {
	for (let passed = 0; passed < duration; passed += step) {
		const end = Math.min(passed + step, duration);
		for (let at = passed; at < end; at += tick) mock.timers.tick(Math.min(tick, end - at));
		await quiet();
	}
}

/** The result of work during which no time passes. */
export async function atOnce<Result>(work: Promise<Result>): Promise<Result> {
	let isDone = false;
	const end = () => {
		isDone = true;
	};
	work.then(end, end);
	for (let turns = 0; !isDone; turns++) {
		if (turns > mostTurns) throw new Error('it waits for time to pass');
		await turn();
	}
	return work;
}
