import type {Duration} from '../../core/time/instant.ts';

/** Waits on the real clock, handed in so that tests need not wait. */
export type Timers = {
	/** Calls once after a delay, unless the function returned is called before. */
	readonly after: (delay: Duration, act: () => void) => () => void;
};

// setTimeout fires at once for a longer delay.
const longestDelay: Duration = 2_147_483_647;

/** The process's own timers. */
export const systemTimers: Timers = {
	after: (delay, act) => {
		const timer = setTimeout(act, Math.min(delay, longestDelay));
		return () => clearTimeout(timer);
	},
};
