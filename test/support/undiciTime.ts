import {createRequire} from 'node:module';

/** Undici's own clock for request timeouts, which it lets tests advance. Otherwise it ticks each half second. */
const timers: {tick(milliseconds: number): void} = createRequire(import.meta.url)(
	'undici/lib/util/timers.js',
);

/** Advances the clock for request timeouts second by second, without waiting, until a promise settles. */
export async function whileSilent<Result>(waited: PromiseLike<Result>): Promise<Result> {
	const ticking = setInterval(() => timers.tick(1000), 10);
	try {
		return await waited;
	} finally {
		clearInterval(ticking);
	}
}
