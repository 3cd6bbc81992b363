import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {PendingPod} from '../../forecast/pending.ts';
import type {ShadowView} from '../shadowView.ts';
import type {BoundedLabels} from './boundedLabels.ts';

/** How many pods each action deleted. */
export type DeletedPods = Readonly<Record<'DeletePod' | 'DeletePodForDevice', number>>;

/** All that metrics are made of when they are asked for. */
export type MetricsState = {
	readonly view: ShadowView;
	/** By the clock of the view. */
	readonly now: Instant;
	/** The pods that go, the soonest first: worked out once for all metrics. */
	readonly pending: readonly PendingPod[];
	readonly zoneLabels: BoundedLabels;
	readonly workloads: WorkloadSlots;
	/** Nodes that the controllers tainted since the start, by zone label. */
	readonly tainted: ReadonlyMap<string, number>;
	/** Pods that they deleted since the start, for taints of nodes and of devices. */
	readonly deleted: DeletedPods;
};

/** Prometheus counts in seconds. */
export const inSeconds = (duration: Duration): number => duration / second;

/** Sums by a label. */
export function countBy<Item>(items: Iterable<Item>, labelOf: (item: Item) => string): Map<string, number> {
	const counts = new Map<string, number>();
	for (const item of items) {
		const label = labelOf(item);
		counts.set(label, (counts.get(label) ?? 0) + 1);
	}
	return counts;
}

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
