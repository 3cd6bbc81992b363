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
export type NodeStory = Readonly<{
	name: string;
	zone: string;
	/** The last heartbeat before the problem. */
	lastRenewal: Instant | null;
	/** When Ready stopped being True, and its new status. */
	unreadyAt: Instant | null;
	ready: 'Unknown' | 'False' | null;
	/** When the node got its first NoExecute taint, and the taint. */
	taintedAt: Instant | null;
	taint: string | null;
	/** When it was Ready again, without such a taint. */
	backAt: Instant | null;
	/** When its Node object was deleted. */
	deletedAt: Instant | null;
}>;

/** A prediction for a pod, compared with the actual deletion. */
export type JudgedPrediction = Readonly<{
	madeAt: Instant;
	range: Range;
	/** How long before the deletion it was made. */
	lead: Duration;
	/** How far the deletion was outside the range: negative if too early, positive if too late, zero if inside. */
	error: Duration;
}>;

export type Eviction = Pick<PodForecast, 'namespace' | 'name' | 'uid' | 'node' | 'cause'> &
	Readonly<{
		workload: WorkloadName;
		deletedAt: Instant;
		/** When the pod was gone; null if it still existed at the end. */
		goneAt: Instant | null;
		/** The first prediction with an upper end, and the last one made early enough to count; undefined without one. */
		first: JudgedPrediction | undefined;
		last: JudgedPrediction | undefined;
		/** Whether the deletion is inside the range of all predictions that count; undefined if there is none. */
		isInside: boolean | undefined;
	}>;

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
export type HeldTime = Readonly<{
	by: string;
	from: Instant;
	/** Null if it lasted to the end. */
	to: Instant | null;
	/** The largest number of held pods. */
	pods: number;
	releasedBy: string;
}>;

export type OutageEvent = {
	readonly at: Instant;
	readonly kind: 'node' | 'taint' | 'pod' | 'kubelet' | 'zone' | 'controller' | 'recording';
	readonly text: string;
};

/** Receives what happened. */
export type AddEvent = (at: Instant, kind: OutageEvent['kind'], text: string) => void;

export type Outage = Readonly<{
	title: string;
	file: string;
	kubernetesVersion: string | undefined;
	from: Instant;
	to: Instant;
	/** The time zone of all times shown. */
	timeZone: TimeZone;
	nodeCount: number;
	nodes: readonly NodeStory[];
	evictions: readonly Eviction[];
	/** Evictions by kubelets, because a node ran short of a resource. */
	byKubelets: readonly EvictionByKubelet[];
	/** Deletions with other causes: by people, autoscalers, or workload controllers. */
	otherDeletions: number;
	averted: readonly AvertedEviction[];
	/** Pods whose eviction is still predicted when the recording ends. */
	stillComing: number;
	/** Workloads that had fewer ready pods, the hardest hit first; empty if the recording does not show it. */
	workloads: readonly LowPoint[];
	held: readonly HeldTime[];
	happenings: readonly OutageEvent[];
	score: Score;
	settings: readonly Setting[];
	problems: readonly Problem[];
}>;

/** A mutable copy of a type, while the outage is being collected. */
export type Mutable<T> = {-readonly [Name in keyof T]: T[Name]};
