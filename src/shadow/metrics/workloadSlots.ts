import {type Duration, type Instant, minute} from '../../core/time/instant.ts';

/** How long a workload that has nothing to lose any more keeps its series, so that its zero is seen. */
const keptFor: Duration = 60 * minute;

/**
 * Which workloads have a series: as many as there are slots. Those that lose the most pods come first to a free slot;
 * one that has a slot keeps it until it has had nothing to lose for an hour, so that series do not come and go.
 */
export class WorkloadSlots {
	readonly #limit: number;
	readonly #lastPending = new Map<string, Instant>();

	/** @param limit no workload has a series where it is zero */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** The workloads with a slot and what each loses; what all others lose is `rest`. */
	assign(
		pending: ReadonlyMap<string, number>,
		now: Instant,
	): {readonly shown: ReadonlyMap<string, number>; readonly rest: number} {
		for (const [key, at] of this.#lastPending) {
			if (!pending.has(key) && now - at > keptFor) this.#lastPending.delete(key);
		}
		const byLoss = [...pending].toSorted(([a, lostA], [b, lostB]) => lostB - lostA || (a < b ? -1 : 1));
		for (const [key] of byLoss) {
			if (this.#lastPending.has(key) || this.#lastPending.size < this.#limit) this.#lastPending.set(key, now);
		}
		const shown = new Map([...this.#lastPending.keys()].map((key) => [key, pending.get(key) ?? 0]));
		const all = [...pending.values()].reduce((sum, count) => sum + count, 0);
		return {shown, rest: all - [...shown.values()].reduce((sum, count) => sum + count, 0)};
	}
}
