import {podKey} from '../../core/model/pod.ts';
import type {Protection} from '../../core/nodepressure/criticalPod.ts';
import type {ExceededLimit, StorageLimitSignal} from '../../core/nodepressure/localStorageLimits.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import type {StatisticsSource} from '../../core/nodepressure/pressureLook.ts';
import type {Quantity} from '../../core/nodepressure/quantities/quantity.ts';
import type {FileSystems} from '../../core/nodepressure/thresholds/containerFsThresholds.ts';
import type {PressureCondition, Signal} from '../../core/nodepressure/thresholds/signal.ts';
import type {Threshold} from '../../core/nodepressure/thresholds/threshold.ts';
import type {ShutdownGroup} from '../../core/nodeshutdown/nodeShutdown.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Range} from '../range.ts';
import type {PressureProblem} from './observe/pressureEvidence.ts';
import type {Trend} from './observe/trend.ts';
import type {Crossing} from './simulate/crossing.ts';
import type {Victim} from './victims.ts';

/** One threshold of a signal, and how the signal compares with it. */
export type ThresholdForecast = Readonly<{
	threshold: Threshold;
	isHard: boolean;
	/** The threshold as an amount; a percentage refers to the capacity. */
	quantity: Quantity;
	/** What must be free again before kills stop; absent without a minimum reclaim. */
	resolvedAt?: Quantity;
	/** The amount above the threshold; negative below it. */
	distance: number;
	crossing: Crossing;
	/** If a soft threshold is met: the rest of its grace period, at least and at most. Null otherwise. */
	graceLeft: {readonly least: Duration; readonly most: Duration} | null;
	/** The latest time at which a pass evicts for it, unless more becomes free before; null while it is not met. */
	evictsBy: Instant | null;
	/** Whether only one look shows that it is met: another look would give a later bound. */
	isBoundByLook: boolean;
	/** The pods that are evicted until it is resolved, in order, if each frees what it uses. Empty while it is not met. */
	toResolve: readonly NodePod[];
	/** Whether even all pods that may be killed do not resolve it. */
	isBeyondPods: boolean;
}>;

/** The course of a signal, and the pods that would be evicted for it. */
export type SignalForecast = Readonly<{
	signal: Signal;
	/** Null if it is not observed. */
	available: bigint | null;
	capacity: bigint | null;
	/** When the kubelet measured it, if known. */
	measuredAt: Instant | null;
	/** Null if there are too few measurements. */
	trend: Trend | null;
	thresholds: readonly ThresholdForecast[];
	/** The order of eviction; empty for a signal without a threshold. */
	victims: readonly Victim[];
	/**
	 * Whether the kernel triggers a pass as soon as memory falls below a threshold, so that an eviction may come at once, before
	 * the next regular pass: only on nodes with cgroup v1, which cannot be seen. Always no for other signals.
	 */
	kernelNotification: 'no' | 'possible';
}>;

/** A pod that is killed if the trends continue. */
export type PressureEviction = Readonly<{
	pod: NodePod;
	when: Range;
	/** The possible reasons, over all random orders. */
	signals: readonly (Signal | StorageLimitSignal)[];
	/** The possible grace periods, in seconds. */
	graceSeconds: readonly number[];
	/** Whether it is evicted in every random order, as long as the trends hold. */
	isCertain: boolean;
	/** Its first and last possible place among all that are killed; 1 is the first. */
	place: {readonly first: number; readonly last: number};
	message: string;
}>;

/** A present or coming condition of the node. */
export type PressureConditionForecast = Readonly<{
	condition: PressureCondition;
	isTrue: boolean;
	/** Since when it is True, by the API; null if it is not. */
	since: Instant | null;
	/** Whether the newest statistics meet one of its thresholds. */
	isMet: boolean;
	/** When it turns True; null unless it is not True and will be on this trend. */
	raised: Range | null;
	/** When it ends; without an end if a threshold is met, or may be again before. Null unless it is True. */
	held: Range | null;
	/** How long it stays True once no threshold is met. */
	transitionPeriod: Duration;
}>;

/** A container that approaches its own memory limit: the kernel kills it, and it is restarted in place. No eviction. */
export type OomForecast = Readonly<{
	pod: NodePod;
	container: string;
	usage: bigint;
	limit: Quantity;
	crossing: Crossing;
}>;

/** A pod that exceeds a limit of its own local storage: the next pass evicts it, whatever the node has left. */
export type OverLimit = Readonly<{
	pod: NodePod;
	exceeded: readonly ExceededLimit[];
	protection: Protection | null;
	when: Range | null;
}>;

/** A past event: a kubelet evicted a pod, or reported that a resource runs short. */
export type PressureHappening = Readonly<{
	/** Null if unknown. */
	at: Instant | null;
	/** `Evicted`, `EvictionThresholdMet`, `FreeDiskSpaceFailed`, ... */
	reason: string;
	/** `namespace/name`, if it concerns a pod. */
	pod: string | null;
	message: string;
}>;

/** The effects of pressure on one node's pods if its trends continue. */
export type PressureForecast = Readonly<{
	node: string;
	/** Its pods that have not ended. */
	pods: readonly NodePod[];
	/** When its newest statistics arrived; null if there are none. */
	observedAt: Instant | null;
	/** The source of the statistics; null if there are none. */
	source: StatisticsSource | null;
	/** When the kubelet's next pass begins. */
	nextPass: Range;
	/** Null if unknown. */
	fileSystems: FileSystems | null;
	conditions: readonly PressureConditionForecast[];
	signals: readonly SignalForecast[];
	/** In the expected order. */
	evictions: readonly PressureEviction[];
	overLimits: readonly OverLimit[];
	protectedPods: readonly {readonly pod: NodePod; readonly why: Protection}[];
	oomKills: readonly OomForecast[];
	/** The events of the last hour, the newest first. */
	happenings: readonly PressureHappening[];
	problems: readonly PressureProblem[];
	assumptions: readonly string[];
	/** The groups in which the kubelet ends pods when its node shuts down, by configz; absent if that was not read. */
	shutdown?: readonly ShutdownGroup[];
}>;

/** The predicted eviction of a pod by its kubelet; undefined if there is none. */
export const evictionOf = ({evictions}: PressureForecast, key: string): PressureEviction | undefined =>
	evictions.find(({pod}) => podKey(pod) === key);
