import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {PendingPod} from '../../forecast/pending.ts';
import type {ShadowView} from '../shadowView.ts';
import type {BoundedLabels} from './boundedLabels.ts';

export type MetricsState = Readonly<{
	view: ShadowView;
	/** By the clock of the view. */
	now: Instant;
	/** The pods that will be evicted, the soonest first; computed once for all metrics. */
	pending: readonly PendingPod[];
	zoneLabels: BoundedLabels;
	workloads: WorkloadSlots;
}>;

export const inSeconds = (duration: Duration): number => duration / second;

/** How long a workload without pending evictions keeps its series, so that its zero is scraped. */
const slotLifetime: Duration = 60 * minute;

/**
 * Assigns series to workloads, up to a limit. Free slots go to workloads with the most pending evictions; a workload keeps
 * its slot until it has had none for an hour, so that series are stable.
 */
export class WorkloadSlots {
	readonly #limit: number;
	readonly #lastPending = new Map<string, Instant>();

	/** @param limit zero for no series */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** The workloads with a slot and their counts; `rest` is the sum of all others. */
	assign(
		pending: ReadonlyMap<string, number>,
		now: Instant,
	): {readonly shown: ReadonlyMap<string, number>; readonly rest: number} {
		for (const [key, at] of this.#lastPending) {
			if (!pending.has(key) && now - at > slotLifetime) this.#lastPending.delete(key);
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
