import {createRequire} from 'node:module';

/** Undici's own clock for the limits of requests, which it lets its tests turn on. It ticks each half second otherwise. */
const timers: {tick(milliseconds: number): void} = createRequire(import.meta.url)(
	'undici/lib/util/timers.js',
);

/** Lets time pass for the limits of requests, second by second and without waiting, until something is done. */
export async function whileSilent<Result>(waited: PromiseLike<Result>): Promise<Result> {
	const ticking = setInterval(() => timers.tick(1000), 10);
	try {
		return await waited;
	} finally {
		clearInterval(ticking);
	}
}
