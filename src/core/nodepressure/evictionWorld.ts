import type {Instant} from '../time/instant.ts';
import type {GarbageCollection} from './fileSystemLayout.ts';
import type {NodePod} from './nodePod.ts';
import type {Summary} from './summary.ts';
import type {FileSystems} from './thresholds/containerFsThresholds.ts';
import type {Threshold} from './thresholds/threshold.ts';

/** What could not be done, in the words of whoever could not do it. */
export type Failure = {readonly error: string};

/** What an eviction manager sees and touches: its node, as it is at an instant. */
export type EvictionWorld = {
	fileSystems(now: Instant): FileSystems | Failure;
	/** The pods that have not ended, in the order in which the kubelet happens to list them. */
	activePods(now: Instant): readonly NodePod[];
	/** Newly measured statistics. */
	summary(now: Instant): Summary | Failure;
	/** Frees what it can, and answers what failed. */
	collectGarbage(what: GarbageCollection, now: Instant): Failure | undefined;
	/** Begins to kill a pod; answers when it will have ended, undefined for never. */
	kill(pod: NodePod, graceSeconds: number, now: Instant): Instant | undefined;
	/** Whether nothing is left of a pod. */
	isCleanedUp(pod: NodePod, now: Instant): boolean;
	/** Which of several thresholds is reclaimed for first: in a real kubelet the order of a Go map, so chance. */
	choose(candidates: readonly [Threshold, ...Threshold[]]): Threshold;
};
