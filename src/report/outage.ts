import type {Problem} from '../core/model/problem.ts';
import type {WorkloadName} from '../core/model/workloads/workload.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import type {TimeZone} from '../dates/timeZone.ts';
import type {Score} from '../forecast/ledger/score.ts';
import type {LowPoint} from '../forecast/lowPoint.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import type {Range} from '../forecast/range.ts';
import type {Setting} from '../forecast/settings/setting.ts';

/** One problem of a node. An instant is null if the event did not happen or was not observed. */
export type NodeStory = {
	readonly name: string;
	readonly zone: string;
	/** The last heartbeat before the problem. */
	readonly lastRenewal: Instant | null;
	/** When Ready stopped being True, and its new status. */
	readonly unreadyAt: Instant | null;
	readonly ready: 'Unknown' | 'False' | null;
	/** When the node got its first NoExecute taint, and the taint. */
	readonly taintedAt: Instant | null;
	readonly taint: string | null;
	/** When it was Ready again, without such a taint. */
	readonly backAt: Instant | null;
	/** When its Node object was deleted. */
	readonly deletedAt: Instant | null;
};

/** A prediction for a pod, compared with the actual deletion. */
export type JudgedPrediction = {
	readonly madeAt: Instant;
	readonly range: Range;
	/** How long before the deletion it was made. */
	readonly lead: Duration;
	/** How far the deletion was outside the range: negative if too early, positive if too late, zero if inside. */
	readonly error: Duration;
};

export type Eviction = Pick<PodForecast, 'namespace' | 'name' | 'uid' | 'node' | 'cause'> & {
	readonly workload: WorkloadName;
	readonly deletedAt: Instant;
	/** When the pod was gone; null if it still existed at the end. */
	readonly goneAt: Instant | null;
	/** The first prediction with an upper end, and the last one made early enough to count; undefined without one. */
	readonly first: JudgedPrediction | undefined;
	readonly last: JudgedPrediction | undefined;
	/** Whether the deletion is inside the range of all predictions that count; undefined if there is none. */
	readonly isInside: boolean | undefined;
};

/** A pod that its kubelet evicted; its object stays. */
export type EvictionByKubelet = Pick<
	Eviction,
	'namespace' | 'name' | 'node' | 'first' | 'last' | 'isInside'
> & {
	readonly evictedAt: Instant;
	/** The signals that its node ran short of, if they were predicted. */
	readonly signals: readonly string[];
};

/** A pod whose eviction was predicted and did not happen. */
export type AvertedEviction = Pick<PodForecast, 'namespace' | 'name' | 'node'> & {
	readonly firstSaidAt: Instant;
	/** Its verdict at the end. */
	readonly verdict: string;
};

/** A time in which evictions were held. */
export type HeldTime = {
	readonly by: string;
	readonly from: Instant;
	/** Null if it lasted to the end. */
	readonly to: Instant | null;
	/** The largest number of held pods. */
	readonly pods: number;
	readonly releasedBy: string;
};

export type OutageEvent = {
	readonly at: Instant;
	readonly kind: 'node' | 'taint' | 'pod' | 'kubelet' | 'zone' | 'controller' | 'recording';
	readonly text: string;
};

/** Receives what happened. */
export type AddEvent = (at: Instant, kind: OutageEvent['kind'], text: string) => void;

export type Outage = {
	readonly title: string;
	readonly file: string;
	readonly kubernetesVersion: string | undefined;
	readonly from: Instant;
	readonly to: Instant;
	/** The time zone of all times shown. */
	readonly timeZone: TimeZone;
	readonly nodeCount: number;
	readonly nodes: readonly NodeStory[];
	readonly evictions: readonly Eviction[];
	/** Evictions by kubelets, because a node ran short of a resource. */
	readonly byKubelets: readonly EvictionByKubelet[];
	/** Deletions with other causes: by people, autoscalers, or workload controllers. */
	readonly otherDeletions: number;
	readonly averted: readonly AvertedEviction[];
	/** Pods whose eviction is still predicted when the recording ends. */
	readonly stillComing: number;
	/** Workloads that had fewer ready pods, the hardest hit first; empty if the recording does not show it. */
	readonly workloads: readonly LowPoint[];
	readonly held: readonly HeldTime[];
	readonly happenings: readonly OutageEvent[];
	readonly score: Score;
	readonly settings: readonly Setting[];
	readonly problems: readonly Problem[];
};

/** A mutable copy of a type, while the outage is being collected. */
export type Mutable<T> = {-readonly [Name in keyof T]: T[Name]};
