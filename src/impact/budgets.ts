import type {Budget} from '../core/model/related.ts';
import type {Range} from '../forecast/podForecast.ts';

/** Something that happens to a pod of a workload. */
export type PodLossStep = {
	readonly pod: string;
	readonly node: string;
	readonly at: Range;
	readonly kind: 'NotReady' | 'Evicted';
	/** Whether it was ready until then. */
	readonly wasReady: boolean;
};

/**
 * How many of the evictions a budget would have forbidden, had they come by the Eviction API: that of a ready pod needs
 * one to spare, that of another only what is asked for.
 *
 * @param steps in the order in which they come
 * @upstream kubernetes v1.36.3 pkg/registry/core/pod/storage/eviction.go canIgnorePDB
 */
export function forbidden(steps: readonly PodLossStep[], {currentHealthy, desiredHealthy}: Budget): number {
	let healthy = currentHealthy;
	let count = 0;
	for (const {kind, wasReady} of steps) {
		const needed = desiredHealthy + (wasReady ? 1 : 0);
		if (kind === 'Evicted' && healthy < needed) count += 1;
		if (wasReady) healthy -= 1;
	}
	return count;
}
