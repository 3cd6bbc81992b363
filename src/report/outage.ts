import type {Problem} from '../core/model/problem.ts';
import type {WorkloadName} from '../core/model/workloads/workload.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import type {TimeZone} from '../dates/timeZone.ts';
import type {Score} from '../forecast/ledger/score.ts';
import type {LowPoint} from '../forecast/lowPoint.ts';
import type {Cause} from '../forecast/podForecast.ts';
import type {Range} from '../forecast/range.ts';
import type {Setting} from '../forecast/settings/setting.ts';
import type {Change} from '../forecast/simulate/change.ts';

/** One time that a node was in trouble. Each instant is undefined where it did not come, or was not seen. */
export type NodeStory = {
	readonly name: string;
	readonly zone: string;
	/** The last heartbeat that was heard before. */
	readonly lastRenewal: Instant | undefined;
	/** When Ready ceased to be True, and what it turned to. */
	readonly unreadyAt: Instant | undefined;
	readonly status: 'Unknown' | 'False' | undefined;
	/** When its first NoExecute taint came, and the taint. */
	readonly taintedAt: Instant | undefined;
	readonly taint: string | undefined;
	/** When it was Ready and without such a taint again. */
	readonly backAt: Instant | undefined;
	/** When its Node object was deleted. */
	readonly deletedAt: Instant | undefined;
};

/** One thing that was said of a pod: when, for when, and how that agrees with what came. */
export type JudgedPrediction = {
	readonly madeAt: Instant;
	readonly range: Range;
	/** How long before the deletion it was said. */
	readonly lead: Duration;
	/** By how much the deletion came too early (below zero) or too late for it; zero inside. */
	readonly error: Duration;
};

/** One pod whose deletion was seen. */
export type Eviction = {
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	readonly node: string;
	readonly workload: WorkloadName;
	readonly deletedAt: Instant;
	/** When the pod was gone; undefined where it was still there at the end. */
	readonly goneAt: Instant | undefined;
	readonly cause: Cause | null;
	/** The first that was said with an end, and the last early enough to count; undefined where nothing was. */
	readonly first: JudgedPrediction | undefined;
	readonly last: JudgedPrediction | undefined;
	/** Whether it lies in all that counts; undefined where nothing was said in time. */
	readonly isInside: boolean | undefined;
};

/** One pod that its kubelet evicted: it stays as an object. */
export type EvictionByKubelet = Pick<
	Eviction,
	'namespace' | 'name' | 'node' | 'first' | 'last' | 'isInside'
> & {
	readonly evictedAt: Instant;
	/** What its node ran short of, as far as that was foretold. */
	readonly signals: readonly string[];
};

/** A pod that was predicted to go, and did not. */
export type Averted = {
	readonly namespace: string;
	readonly name: string;
	readonly node: string;
	readonly firstSaidAt: Instant;
	/** What was said of it at the end. */
	readonly verdict: string;
};

/** A time in which evictions were held. */
export type HeldTime = {
	readonly by: string;
	readonly from: Instant;
	/** Undefined where it lasted to the end. */
	readonly to: Instant | undefined;
	/** How many pods at the most. */
	readonly pods: number;
	readonly releasedBy: string;
};

/** Something that happened. */
export type OutageEvent = {
	readonly at: Instant;
	readonly kind: 'node' | 'taint' | 'pod' | 'kubelet' | 'zone' | 'controller' | 'recording';
	readonly text: string;
};

/** Something to be tried on the controllers' rules, from what was known at an instant of the outage. */
export type TrialQuestion = {readonly at: Instant; readonly node: string; readonly pod: string} & (
	| {readonly kind: 'return'}
	| {readonly kind: 'toleration'; readonly seconds: number; readonly world: readonly Change[]}
);

/** What came of it. */
export type ReportTrial = {
	readonly question: TrialQuestion;
	readonly askedAt: Instant;
	/** Until when a return of the node keeps the pod; undefined where none does, or something else was asked. */
	readonly until: Instant | undefined;
	/** The seconds of toleration that keep it; undefined where none of those that were tried do, or something else was asked. */
	readonly seconds: number | undefined;
};

/** A past outage: all that a recording tells of it. */
export type Outage = {
	/** Whose cluster it was. */
	readonly title: string;
	readonly file: string;
	readonly kubernetesVersion: string | undefined;
	readonly from: Instant;
	readonly to: Instant;
	/** In which its times are told; UTC where absent. */
	readonly timeZone?: TimeZone;
	/** How many nodes there were at the most. */
	readonly nodeCount: number;
	readonly nodes: readonly NodeStory[];
	readonly evictions: readonly Eviction[];
	/** Those for which nodes ran short. */
	readonly byKubelets: readonly EvictionByKubelet[];
	/** Deletions of another kind: by people, autoscalers, controllers of workloads. */
	readonly otherDeletions: number;
	readonly averted: readonly Averted[];
	/** Pods that are still predicted to go when the recording ends. */
	readonly stillComing: number;
	/** Workloads that had fewer ready pods, the hardest hit first; none where the recording does not tell. */
	readonly workloads: readonly LowPoint[];
	readonly held: readonly HeldTime[];
	readonly happenings: readonly OutageEvent[];
	readonly score: Score;
	/** What was tried of what could have changed it. */
	readonly trials: readonly ReportTrial[];
	readonly settings: readonly Setting[];
	readonly problems: readonly Problem[];
};

/** A part of an outage while it is still being told. */
export type Mutable<T> = {-readonly [Name in keyof T]: T[Name]};
