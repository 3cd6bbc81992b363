import type {Instant} from '../time/instant.ts';
import type {GarbageCollection} from './fileSystemLayout.ts';
import type {NodePod} from './nodePod.ts';
import type {FileSystems} from './thresholds/containerFsThresholds.ts';
import type {MeasuredSummary} from './thresholds/observations.ts';
import type {Threshold} from './thresholds/threshold.ts';

/** A failed operation, with the error of the component that failed. */
export type Failure = {readonly error: string};

/** The node as an eviction manager sees and changes it, at an instant. */
export type EvictionWorld = {
	fileSystems(now: Instant): FileSystems | Failure;
	/** The pods that have not ended, in the kubelet's list order. */
	activePods(now: Instant): readonly NodePod[];
	/** Newly measured statistics. */
	measured(now: Instant): MeasuredSummary | Failure;
	/** Frees what it can; returns the failure, if any. */
	collectGarbage(what: GarbageCollection, now: Instant): Failure | undefined;
	/** Starts to kill a pod; returns when it will have ended, or undefined for never. */
	kill(pod: NodePod, graceSeconds: number, now: Instant): Instant | undefined;
	/** Whether everything of a pod has been removed. */
	isCleanedUp(pod: NodePod, now: Instant): boolean;
	/** Chooses which threshold to reclaim for; a real kubelet takes the order of a Go map, which is random. */
	choose(candidates: readonly [Threshold, ...Threshold[]]): Threshold;
};
