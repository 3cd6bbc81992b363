import type {TextMap} from '../../text/textMap.ts';
import type {Instant} from '../time/instant.ts';
import type {GarbageCollection} from './fileSystemLayout.ts';
import type {StorageLimitSignal} from './localStorageLimits.ts';
import type {NodePod} from './nodePod.ts';
import type {RankedPod} from './ranking.ts';
import type {PressureCondition, Signal, StarvedResource} from './thresholds/signal.ts';
import type {Threshold} from './thresholds/threshold.ts';

/** A pod that is killed, with the text of its event and status. */
export type Kill = Readonly<{
	type: 'killed';
	pod: NodePod;
	signal: Signal | StorageLimitSignal;
	/** The grace period that overrides the pod's own. Zero and negative values are passed on unchanged. */
	graceSeconds: number;
	message: string;
	/** Annotations of the event; absent if there are none. */
	annotations?: TextMap;
	/** Whether the pod gets the condition DisruptionTarget. */
	isDisruptionTarget: boolean;
}>;

/** What a pass does to one pod: kill it, which takes time, or skip it. */
export type PressurePassStep = Kill | {readonly type: 'criticalSkipped'; readonly pod: NodePod};

/** Something that an eviction manager does or finds. */
export type EvictionEffect =
	/** A pass got far enough to list the pods. */
	| {readonly type: 'passStarted'}
	| {readonly type: 'conditionChanged'; readonly condition: PressureCondition; readonly isTrue: boolean}
	| Readonly<{
			type: 'reclaimAttempted';
			resource: StarvedResource;
			/** The threshold chosen for reclaim, and all that the kubelet could have chosen: it picks one at random. */
			threshold: Threshold;
			candidates: readonly Threshold[];
	  }>
	| {readonly type: 'garbageCollected'; readonly what: GarbageCollection; readonly error?: string}
	| {readonly type: 'nodeReclaimSufficed'; readonly resource: StarvedResource}
	| {readonly type: 'ranked'; readonly signal: Signal; readonly order: readonly RankedPod[]}
	| PressurePassStep
	| {readonly type: 'killTimedOut'; readonly pod: NodePod}
	| {readonly type: 'cleanedUp' | 'cleanupTimedOut'; readonly pods: readonly NodePod[]}
	| {readonly type: 'noVictim' | 'noActivePods'}
	| {readonly type: 'statsFailed' | 'synchronizeFailed'; readonly error: string};

export type TimedEvictionEffect = {readonly at: Instant; readonly effect: EvictionEffect};
