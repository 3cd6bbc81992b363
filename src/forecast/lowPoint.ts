import type {WorkloadName} from '../core/model/workloads/workload.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Range} from './range.ts';

/** How far down a workload went, by what was read of it each half minute. */
export type LowPoint = WorkloadName & {
	readonly namespace: string;
	/** How many there should be, and were ready when it was first read. */
	readonly desired: number;
	readonly before: number;
	/** The fewest that were ready, and when that was first read. */
	readonly lowest: {readonly ready: number; readonly at: Instant};
	/** The fewest that were foretold when it was first in trouble, if nothing new becomes ready; from when on. */
	readonly foretold:
		| {readonly ready: number; readonly at: Range | null; readonly madeAt: Instant}
		| undefined;
};
