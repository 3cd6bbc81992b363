import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Timers} from './timers.ts';
import type {World} from './world.ts';

type PaceOptions = {
	readonly clock: () => Instant;
	readonly timers: Timers;
	/** The maximum number of simulated seconds per real second. It may change at any time. */
	readonly speed: () => number;
	/**
	 * The longest simulated time whose changes reach clients at once. With thousands of nodes, delivering each renewal
	 * separately would take longer than the time between two renewals.
	 */
	readonly batch: Duration;
	/** Changes whenever there is something new for clients. */
	readonly revision: () => number;
};

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
export class PacedDriver {
	readonly #world: World;
	readonly #options: PaceOptions;
	#realNow: Instant;
	/** Real time that has not yet passed in the world. */
	#lag: Duration = 0;
	#now: Instant;
	#cancel: (() => void) | undefined;

	constructor(world: World, options: PaceOptions) {
		this.#world = world;
		this.#options = options;
		this.#realNow = options.clock();
		this.#now = world.now;
	}

	/** The current time of the world's clocks. */
	now(): Instant {
		// Rounded up, so that nothing arrives before it happened.
		return Math.ceil(this.#now);
	}

	start(): void {
		const realNow = this.#options.clock();
		this.#lag = Math.min(this.#lag + Math.max(0, realNow - this.#realNow), longestLag);
		this.#realNow = realNow;
		if (this.#advance()) this.#wait(turnsToReceive, shortestTimer);
		else this.#wait(1, tick);
	}

	stop(): void {
		this.#cancel?.();
	}

	/** Advances to the present, or to the next change that clients must receive. */
	#advance(): boolean {
		const {revision, batch} = this.#options;
		const speed = this.#options.speed();
		const before = revision();
		let target = this.#now + this.#lag * speed;
		for (let isNew = false; this.#now < target; ) {
			const next = Math.min(this.#world.nextDueAt, target);
			this.#world.advanceTo(next);
			this.#lag -= (next - this.#now) / speed;
			this.#now = next;
			if (isNew || revision() === before) continue;
			isNew = true;
			target = Math.min(target, next + batch);
		}
		return revision() !== before;
	}

	#wait(turns: number, pause: Duration): void {
		this.#cancel = this.#options.timers.after(pause, () =>
			turns > 1 ? this.#wait(turns - 1, pause) : this.start(),
		);
	}
}
