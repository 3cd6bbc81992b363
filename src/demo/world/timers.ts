import type {Duration} from '../../core/time/instant.ts';

/** Timers, passed in so that tests need not wait. */
export type Timers = {
	/** Calls once after a delay, unless the returned function is called before. */
	readonly after: (delay: Duration, act: () => void) => () => void;
};

// setTimeout fires at once for a longer delay.
const longestDelay: Duration = 2_147_483_647;

export const systemTimers: Timers = {
	after: (delay, act) => {
		const timer = setTimeout(act, Math.min(delay, longestDelay));
		return () => clearTimeout(timer);
	},
};
