import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Timers} from './timers.ts';
import type {World} from './world.ts';

type DriverOptions = {
	readonly clock: () => Instant;
	readonly timers: Timers;
};

/** Everything that is due within this real time is done at once. */
const shortestWait: Duration = 20;
/** How often the world advances even if nothing happens in it. */
const longestWait: Duration = 1000;

/** Runs a world in real time. */
export class WorldDriver {
	readonly #world: World;
	readonly #options: DriverOptions;
	#cancel: (() => void) | undefined;

	/** Time passes from here on; the world follows once started. */
	constructor(world: World, options: DriverOptions) {
		this.#world = world;
		this.#options = options;
	}

	/** The current time of the world's clocks: the real time, even if a large world took seconds to build. */
	now(): Instant {
		return this.#options.clock();
	}

	start(): void {
		this.catchUp();
		const untilNext = this.#world.nextDueAt - this.#world.now;
		const wait = Math.min(Math.max(untilNext, shortestWait), longestWait);
		this.#cancel = this.#options.timers.after(wait, () => this.start());
	}

	/** Runs everything that is due by now. */
	catchUp(): void {
		// If the real clock is set back, the world's time stands still.
		this.#world.advanceTo(Math.max(this.now(), this.#world.now));
	}

	stop(): void {
		this.#cancel?.();
	}
}
