import type {Duration} from '../../src/core/time/instant.ts';
import type {Timers} from '../../src/demo/world/timers.ts';

type Pending = {readonly dueAt: number; readonly act: () => void};

/** Timers that fire when a test advances the time. */
export class ManualTimers implements Timers {
	#now = 0;
	readonly #pending = new Set<Pending>();

	/** The elapsed time. */
	get now(): Duration {
		return this.#now;
	}

	get pendingCount(): number {
		return this.#pending.size;
	}

	readonly after = (delay: Duration, act: () => void): (() => void) => {
		const pending = {dueAt: this.#now + delay, act};
		this.#pending.add(pending);
		return () => {
			this.#pending.delete(pending);
		};
	};

	/** Advances the time; timers fire in order of their due time, including those set meanwhile. */
	advance(duration: Duration): void {
		const target = this.#now + duration;
		for (let next = this.#nextBy(target); next; next = this.#nextBy(target)) {
			this.#pending.delete(next);
			this.#now = next.dueAt;
			next.act();
		}
		this.#now = target;
	}

	#nextBy(target: number): Pending | undefined {
		const due = [...this.#pending].filter(({dueAt}) => dueAt <= target);
		return due.toSorted((a, b) => a.dueAt - b.dueAt)[0];
	}
}
