import type {Instant} from '../core/time/instant.ts';

/** The wall clock. Passed in, so that tests bring their own. */
export type Clock = {
	readonly now: () => Instant;
	/** Waits until an instant, or until the signal; it never throws. An instant in the past still yields to other tasks. */
	readonly sleepUntil: (at: Instant, signal: AbortSignal) => Promise<void>;
};

// setTimeout fires at once for a longer delay.
const longestDelay = 2_147_483_647;

/** A clock that ignores corrections of the system time: a jump would fire evictions. */
export const systemClock: Clock = {
	now: () => Math.round(performance.timeOrigin + performance.now()),
	sleepUntil: async (at, signal) => {
		do await sleep(Math.min(longestDelay, at - systemClock.now()), signal);
		while (!signal.aborted && systemClock.now() < at);
	},
};

/** A clock that shows another time, such as a server's, and waits by it. It may jump. */
export const clockShowing = (now: () => Instant): Clock => ({
	now,
	sleepUntil: (at, signal) => systemClock.sleepUntil(systemClock.now() + at - now(), signal),
});

function sleep(delay: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return Promise.resolve();
	return new Promise((resolve) => {
		const finish = () => {
			clearTimeout(timer);
			signal.removeEventListener('abort', finish);
			resolve();
		};
		const timer = setTimeout(finish, Math.max(0, delay));
		signal.addEventListener('abort', finish);
	});
}
