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
import type {PressureEvidence, PressureProblem} from './observe/pressureEvidence.ts';
import type {Trend} from './observe/trend.ts';
import type {Crossing} from './simulate/crossing.ts';
import type {Victim} from './victims.ts';

/** One threshold of a signal, and where the signal stands to it. */
export type ThresholdForecast = {
	readonly threshold: Threshold;
	readonly isHard: boolean;
	/** The threshold as an amount; a percentage is one of the capacity. */
	readonly quantity: Quantity;
	/** What must be free again before pods stop being killed; absent without a minimum reclaim. */
	readonly resolvedAt?: Quantity;
	/** What is left above the threshold; negative below it. */
	readonly distance: number;
	readonly crossing: Crossing;
	/** Of a soft threshold that is met: what is left of its grace period, from the least to the most. Null otherwise. */
	readonly graceLeft: {readonly least: Duration; readonly most: Duration} | null;
	/**
	 * When a pass most likely evicts for it: its grace period ends then, or the trend, or the pace since the node's condition turned
	 * True, leads there. Null where nothing tells that, and where it is hard and met.
	 */
	readonly evictsAbout: Instant | null;
	/** By when a pass evicts for it, unless more becomes free before; null while it is not met. */
	readonly evictsBy: Instant | null;
	/**
	 * Whether nothing but the only look tells that it is met: it may have been left before, so that another look would tell of a
	 * later time by which a pass evicts.
	 */
	readonly isBoundByLook: boolean;
	/** What it takes to resolve it: the pods that would go, in order, if each frees what it uses. Empty while it is not met. */
	readonly toResolve: readonly NodePod[];
	/** Whether even all pods that may be killed would not resolve it. */
	readonly isBeyondPods: boolean;
};

/** What a signal does, and who would go for it. */
export type SignalForecast = {
	readonly signal: Signal;
	/** Null where it is not observed. */
	readonly available: bigint | null;
	readonly capacity: bigint | null;
	/** When the kubelet measured it, as far as that is known. */
	readonly measuredAt: Instant | null;
	/** Null where too little was seen. */
	readonly trend: Trend | null;
	readonly thresholds: readonly ThresholdForecast[];
	/** The order of eviction; empty for a signal that has no threshold. */
	readonly victims: readonly Victim[];
	/**
	 * Whether the kernel calls for a pass as soon as memory falls below a threshold, so that an eviction may come at once
	 * and not with the next pass: on nodes with cgroup v1 only, which cannot be seen. Always no for other signals.
	 */
	readonly kernelNotification: 'no' | 'possible';
};

/** A pod that is killed if the trends go on. */
export type PressureEviction = {
	readonly pod: NodePod;
	readonly when: Range;
	/** For what, in any of the ways in which chance may decide. */
	readonly signals: readonly (Signal | StorageLimitSignal)[];
	/** The grace periods that it may get, in seconds. */
	readonly graceSeconds: readonly number[];
	/** Whether it goes however chance decides, as far as the trends hold. */
	readonly isCertain: boolean;
	/** From its first to its last possible place among all that are killed; 1 goes first. */
	readonly place: {readonly first: number; readonly last: number};
	/** How likely it is that it goes first, of those that may: pods may overtake each other until then. */
	readonly firstProbability: number;
	readonly message: string;
};

/** A condition that the node shows, or will. */
export type PressureConditionForecast = {
	readonly condition: PressureCondition;
	readonly isTrue: boolean;
	/** Since when, as the API server has it; null where it has none. */
	readonly since: Instant | null;
	/** Whether a threshold of it is met by the newest statistics. */
	readonly isMet: boolean;
	/** When it is raised; null unless it is not True and comes on this trend. */
	readonly raised: Range | null;
	/** When it goes; without an end where a threshold is met, or may be again until then. Null unless it is True. */
	readonly held: Range | null;
	/** How long it stays True once no threshold is met. */
	readonly transitionPeriod: Duration;
};

/** A container that nears its own memory limit: the kernel kills it, and it is started again in place. No eviction. */
export type OomForecast = {
	readonly pod: NodePod;
	readonly container: string;
	readonly usage: bigint;
	readonly limit: Quantity;
	readonly crossing: Crossing;
};

/** A pod that is over a limit of its own local storage: the next pass evicts it, whatever the node has left. */
export type OverLimit = {
	readonly pod: NodePod;
	readonly exceeded: readonly ExceededLimit[];
	readonly protection: Protection | null;
	readonly when: Range | null;
};

/** What was seen to happen: a kubelet evicted a pod, or reported that something runs short. */
export type PressureHappening = {
	/** Null where nothing says when. */
	readonly at: Instant | null;
	/** `Evicted`, `EvictionThresholdMet`, `FreeDiskSpaceFailed`, ... */
	readonly reason: string;
	/** `namespace/name`, where it befell a pod. */
	readonly pod: string | null;
	readonly message: string;
};

/** What pressure does to one node's pods if its trends go on. */
export type PressureForecast = {
	readonly node: string;
	/** What it was made from, for what would be without some pods. */
	readonly evidence: PressureEvidence;
	/** Its pods that have not ended. */
	readonly pods: readonly NodePod[];
	/** When its newest statistics came; null where there are none. */
	readonly observedAt: Instant | null;
	/** Whose word those are; null without any. */
	readonly source: StatisticsSource | null;
	/** When the kubelet's next pass is. */
	readonly nextPass: Range;
	/** Null where it cannot be told. */
	readonly fileSystems: FileSystems | null;
	readonly conditions: readonly PressureConditionForecast[];
	readonly signals: readonly SignalForecast[];
	/** In the order in which they are expected. */
	readonly evictions: readonly PressureEviction[];
	readonly overLimits: readonly OverLimit[];
	readonly protectedPods: readonly {readonly pod: NodePod; readonly why: Protection}[];
	readonly oomKills: readonly OomForecast[];
	/** What happened within the last hour, the newest first. */
	readonly happenings: readonly PressureHappening[];
	readonly problems: readonly PressureProblem[];
	/** What the forecast takes for granted. */
	readonly assumptions: readonly string[];
	/** The groups in which its kubelet ends pods when its node shuts down, by configz; absent where that was not read. */
	readonly shutdown?: readonly ShutdownGroup[];
};

/** The eviction of a pod that its kubelet is to make; undefined where none is foreseen. */
export const evictionOf = (
	{evictions}: Pick<PressureForecast, 'evictions'>,
	key: string,
): PressureEviction | undefined => evictions.find(({pod}) => podKey(pod) === key);
