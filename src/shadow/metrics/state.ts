import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {PendingPod} from '../../forecast/pending.ts';
import type {ShadowView} from '../shadowView.ts';
import type {BoundedLabels} from './boundedLabels.ts';
import type {WorkloadSlots} from './workloadSlots.ts';

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
