import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Timers} from './timers.ts';
import type {World} from './world.ts';

type DriverOptions = {
	/** The real clock. */
	readonly clock: () => Instant;
	readonly timers: Timers;
};

/** What happens within so short a real time is done in one go. */
const shortestWait: Duration = 20;
/** So often the world moves on even when nothing happens in it. */
const longestWait: Duration = 1000;

/** Lets a world's time pass along a real clock. */
export class WorldDriver {
	readonly #world: World;
	readonly #options: DriverOptions;
	#cancel: (() => void) | undefined;

	/** Time passes from here on; the world follows once started. */
	constructor(world: World, options: DriverOptions) {
		this.#world = world;
		this.#options = options;
	}

	/** What the world's clocks show: the real one's time, also where a large world took seconds to build. */
	now(): Instant {
		return this.#options.clock();
	}

	start(): void {
		this.catchUp();
		const untilNext = this.#world.nextDueAt - this.#world.now;
		const wait = Math.min(Math.max(untilNext, shortestWait), longestWait);
		this.#cancel = this.#options.timers.after(wait, () => this.start());
	}

	/** Lets all that is due by now happen. */
	catchUp(): void {
		// A real clock may be set back; the world's time only stands still then.
		this.#world.advanceTo(Math.max(this.now(), this.#world.now));
	}

	stop(): void {
		this.#cancel?.();
	}
}
