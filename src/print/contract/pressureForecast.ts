import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {
	OomForecast,
	PressureConditionForecast,
	PressureEviction,
	PressureForecast,
	SignalForecast,
	ThresholdForecast,
} from '../../forecast/pressure/pressureForecast.ts';
import type {Crossing} from '../../forecast/pressure/simulate/crossing.ts';
import type {Victim} from '../../forecast/pressure/victims.ts';
import type {Range} from '../../forecast/range.ts';
import type {PrintedJson, ProblemJson} from './common.ts';

/** An amount in Kubernetes' format: `500Mi`, `10k`. */
type QuantityJson = string;

/** A pod of the node. */
type NodePodJson = Pick<NodePod, 'namespace' | 'name' | 'uid'>;

/** When an amount falls below a threshold; `at` is null unless `expected` or `possible`. */
export type CrossingJson = Pick<Crossing, 'type'> & {readonly at: Range | null};

/** One threshold of a signal. */
export type PressureThresholdJson = Pick<ThresholdForecast, 'distance' | 'evictsBy'> &
	Readonly<{
		hard: boolean;
		quantity: QuantityJson;
		/** How much must be free before pods are no longer killed; null without a minimum reclaim. */
		resolvedAt: QuantityJson | null;
		/** Seconds; 0 for a hard threshold. */
		gracePeriod: number;
		crossing: CrossingJson;
		/** Remaining seconds of the grace period; null unless the threshold is soft and met. */
		graceLeft: {readonly least: number; readonly most: number} | null;
		/** The pods that would have to be evicted until enough is free; empty while it is not met. */
		toResolve: readonly NodePodJson[];
		/** Whether even killing all pods that may be killed would not free enough. */
		beyondPods: boolean;
	}>;

/** A pod's place in the order of eviction. */
export type VictimJson = NodePodJson &
	Pick<Victim, 'place' | 'tied' | 'protection' | 'stage' | 'priority' | 'because'> & {
		/** Bytes, inodes or processes; null if the kubelet has no statistics of it. */
		readonly usage: bigint | null;
		readonly request: QuantityJson | null;
		readonly overuse: QuantityJson | null;
	};

/** The state and trend of a signal. */
export type PressureSignalJson = Pick<SignalForecast, 'signal' | 'measuredAt' | 'kernelNotification'> &
	Readonly<{
		/** Bytes, inodes or processes; null if not measured. */
		available: bigint | null;
		capacity: bigint | null;
		/** Null if there are too few measurements; the span is in seconds. */
		trend: SignalForecast['trend'];
		thresholds: readonly PressureThresholdJson[];
		victims: readonly VictimJson[];
	}>;

/** A pod that is killed if trends continue. */
type PressureEvictionJson = NodePodJson &
	Pick<PressureEviction, 'graceSeconds' | 'place' | 'message'> & {
		readonly eviction: Range;
		/** The cause, with all signals for which it may be killed; which one is random. */
		readonly cause: {readonly kind: 'NodePressure'} & Pick<PressureEviction, 'signals'>;
		/** Whether it is evicted in every possible random order. */
		readonly certain: boolean;
	};

/** The effect of pressure on the pods of one node if its trends continue. */
export type PressureForecastJson = Pick<
	PressureForecast,
	'observedAt' | 'source' | 'nextPass' | 'fileSystems' | 'happenings' | 'assumptions'
> &
	Readonly<{
		kind: 'PressureForecast';
		metadata: {readonly name: string};
		conditions: readonly (Pick<PressureConditionForecast, 'since' | 'raised' | 'held'> & {
			readonly type: PressureConditionForecast['condition'];
			readonly status: boolean;
			readonly thresholdMet: boolean;
		})[];
		signals: readonly PressureSignalJson[];
		/** In expected chronological order. */
		evictions: readonly PressureEvictionJson[];
		/** Pods that exceed a limit of their own local storage. */
		overLimits: readonly (NodePodJson &
			Pick<PressureForecast['overLimits'][number], 'protection'> & {
				readonly limits: readonly (Pick<
					PressureForecast['overLimits'][number]['exceeded'][number],
					'signal' | 'of' | 'message'
				> & {readonly usage: bigint; readonly limit: QuantityJson})[];
				/** Null if it may not be killed. */
				readonly eviction: Range | null;
			})[];
		/** Pods that a kubelet never evicts. */
		protected: readonly (NodePodJson & Pick<PressureForecast['protectedPods'][number], 'why'>)[];
		/** Containers close to their own memory limit: the kernel kills them, and they restart in place. */
		oomKills: readonly (NodePodJson &
			Pick<OomForecast, 'container'> & {
				readonly usage: bigint;
				readonly limit: QuantityJson;
				readonly crossing: CrossingJson;
			})[];
		/** What could not be observed, and what is assumed instead. */
		gaps: readonly ProblemJson[];
	}>;

/** Printed by `pressure`. */
export type PressureForecastListJson = PrintedJson<
	'PressureForecastList',
	{
		readonly observedAt: Instant;
		readonly source: 'cluster';
		readonly problems: readonly ProblemJson[];
	}
> & {readonly items: readonly PressureForecastJson[]};
