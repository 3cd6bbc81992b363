import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Timers} from './timers.ts';
import type {World} from './world.ts';

type PaceOptions = {
	/** The real clock. */
	readonly clock: () => Instant;
	readonly timers: Timers;
	/** How many seconds of the world pass in a real one, at the most. May change at any time. */
	readonly speed: () => number;
	/**
	 * How much of the world's time clients hear of at once, at the most: where thousands of nodes renew, one after the
	 * other would take longer than the time that passes between them.
	 */
	readonly batch: Duration;
	/** Differs once there is something new for clients. */
	readonly revision: () => number;
};

/** How often the clock moves on, in real time. */
const tick: Duration = 20;
const shortestTimer: Duration = 1;
/** A process that was busy for longer does not make the world leap. */
const longestLag: Duration = 100;
/** Turns of the event loop in which a client of this process surely hears of a change. */
const turnsToHear = 3;

/**
 * Lets a world's time pass faster than the real one, for clients in this process that go by the world's clock. The
 * clock stands still until they have heard of what happened and while they compute: otherwise every real millisecond
 * of theirs would be a delay of `speed` milliseconds, which no API server has.
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

	/** What the world's clocks show. */
	now(): Instant {
		// Rounded up, so that nothing arrives before it happened.
		return Math.ceil(this.#now);
	}

	start(): void {
		const realNow = this.#options.clock();
		this.#lag = Math.min(this.#lag + Math.max(0, realNow - this.#realNow), longestLag);
		this.#realNow = realNow;
		if (this.#advance()) this.#wait(turnsToHear, shortestTimer);
		else this.#wait(1, tick);
	}

	stop(): void {
		this.#cancel?.();
	}

	/** Moves on to the present, or to the next thing that clients have to hear of. */
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
