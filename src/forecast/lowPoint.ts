import type {WorkloadName} from '../core/model/workloads/workload.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Range} from './range.ts';

/** How far a workload went down, from readings every half minute. */
export type LowPoint = WorkloadName &
	Readonly<{
		namespace: string;
		/** The desired replicas, and those that were ready at the first reading. */
		desired: number;
		readyBefore: number;
		/** The fewest ready replicas, and when a reading first showed them. */
		lowest: {readonly ready: number; readonly at: Instant};
		/** The fewest ready replicas that were predicted when it was first in trouble, without replacements; from when on. */
		predicted: {readonly ready: number; readonly at: Range | null; readonly madeAt: Instant} | null;
	}>;
