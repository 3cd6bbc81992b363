import {Socket} from 'node:net';
import {mock} from 'node:test';

/** When virtual time begins, for all clocks and timers of this process. */
export const virtualStart = Date.UTC(2026, 0, 31, 14, 0, 0);

/** Time passes in steps of so many milliseconds. */
const step = 250;

/** Turns of the event loop without a byte on any socket after which nothing more happens until time passes. */
const quietTurns = 150;
/** And so many real milliseconds: on a busy machine the kernel hands bytes on later. */
const quietFor = 25;
let turnsSinceTraffic = 0;
let trafficAt = 0n;

const milliseconds = () => process.hrtime.bigint() / 1_000_000n;

function traffic(): void {
	turnsSinceTraffic = 0;
	trafficAt = milliseconds();
}

/** Stops the clocks of this process; time passes only in `pass`. Sockets work as ever. */
export function stopClocks(): void {
	mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date'], now: virtualStart});
	Object.defineProperty(performance, 'timeOrigin', {value: virtualStart});
	Object.defineProperty(performance, 'now', {value: () => Date.now() - virtualStart});
	const {emit} = Socket.prototype;
	Socket.prototype.emit = function (this: Socket, ...event: Parameters<typeof emit>) {
		traffic();
		return emit.apply(this, event);
	} as typeof emit;
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Turns after which something goes on that waits for no time to pass, as a loop of requests does. */
const mostTurns = 200_000;

/** A program that starts loads its modules, and compiles them, between its bytes. */
export const toStart = 300;

/** Waits until nothing happens any more at this instant. @param realTime how many real milliseconds nothing happens */
export async function quiet(realTime = quietFor): Promise<void> {
	let turns = 0;
	traffic();
	for (; turnsSinceTraffic < quietTurns || milliseconds() - trafficAt < realTime; turnsSinceTraffic++) {
		await turn();
		if (++turns > mostTurns)
			throw new Error(`it never comes to rest: ${[...new Set(process.getActiveResourcesInfo())].join(', ')}`);
		if (process.getActiveResourcesInfo().some((resource) => underWay.test(resource))) traffic();
	}
}

/** Files, modules among them, that are being read or written, connections that are being made, and what is being packed. */
const underWay = /^FSReq|Connect|GetAddr|Zlib/i;

export async function pass(duration: number): Promise<void> {
	for (let passed = 0; passed < duration; passed += step) {
		mock.timers.tick(Math.min(step, duration - passed));
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
