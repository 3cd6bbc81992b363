import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Timers} from './timers.ts';
import type {World} from './world.ts';

type PaceOptions = Readonly<{
	clock: () => Instant;
	timers: Timers;
	/** The maximum number of simulated seconds per real second. It may change at any time. */
	speed: () => number;
	/**
	 * The longest simulated time whose changes reach clients at once. With thousands of nodes, delivering each renewal
	 * separately would take longer than the time between two renewals.
	 */
	batch: Duration;
	/** Changes whenever there is something new for clients. */
	revision: () => number;
}>;

/** How often the clock advances, in real time. */
const tick: Duration = 20;
const shortestTimer: Duration = 1;
/** A process that was busy for longer does not make the world jump ahead. */
const longestLag: Duration = 100;
/** Event loop turns after which a client in this process has received a change. */
const turnsToReceive = 3;

/**
 * Runs a world faster than real time, for clients in this process that use the world's clock. The clock stops until
 * they have received all changes, and while they compute: otherwise each real millisecond of computing would delay
 * them by `speed` simulated milliseconds, which no API server does.
 */
export function pacedDriver(world: World, {clock, timers, speed, batch, revision}: PaceOptions) {
	let realNow = clock();
	/** Real time that has not yet passed in the world. */
	let lag: Duration = 0;
	let now = world.now;
	let stop = () => {};

	/** Advances to the present, or to the next change that clients must receive. */
	const advance = () => {
		const pace = speed();
		const before = revision();
		let target = now + lag * pace;
		for (let isNew = false; now < target; ) {
			const next = Math.min(world.nextDueAt, target);
			world.advanceTo(next);
			lag -= (next - now) / pace;
			now = next;
			if (isNew || revision() === before) continue;
			isNew = true;
			target = Math.min(target, next + batch);
		}
		return revision() !== before;
	};

	const wait = (turns: number, pause: Duration) => {
		stop = timers.after(pause, () => (turns > 1 ? wait(turns - 1, pause) : start()));
	};

	const start = () => {
		const before = realNow;
		realNow = clock();
		lag = Math.min(lag + Math.max(0, realNow - before), longestLag);
		if (advance()) wait(turnsToReceive, shortestTimer);
		else wait(1, tick);
	};

	return {
		/** The current time of the world's clocks. Rounded up, so that nothing arrives before it happened. */
		now: (): Instant => Math.ceil(now),
		start,
		stop: () => stop(),
		/** Clients in this process see no time pass between two ticks. */
		catchUp: () => {},
	};
}
