import type {NodeCondition} from '../../../core/model/node.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import type {EvictedPod, KubeletReport, StatisticsSource} from '../../../core/nodepressure/pressureLook.ts';
import type {Summary} from '../../../core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../../core/nodepressure/thresholds/evictionSettings.ts';
import type {Instant} from '../../../core/time/instant.ts';

/** A kubelet's statistics, and when they arrived. */
export type SummarySample = {readonly seenAt: Instant; readonly summary: Summary};

/** All that is known of one node's pressure. */
export type PressureEvidence = {
	readonly node: string;
	/** Oldest first; none where the kubelet could not be asked. */
	readonly samples: readonly SummarySample[];
	/** The kubelet's configuration from configz; absent where that cannot be read, so that defaults are assumed. */
	readonly config?: EvictionConfig;
	/** The node's pods that have not ended. */
	readonly pods: readonly NodePod[];
	/** The UIDs of those that were listed by an earlier look. */
	readonly listedBefore?: ReadonlySet<string>;
	/** The node's conditions, as the API server has them. */
	readonly conditions: readonly NodeCondition[];
	/** Where the samples come from; the kubelet where it is left out. */
	readonly source?: StatisticsSource;
	/** The pods that say that they were evicted by their kubelet. */
	readonly evicted?: readonly EvictedPod[];
	/** What the kubelet reported lately. */
	readonly reports?: readonly KubeletReport[];
	/** Whether the newest sample is a what-if's: its amounts hold from then on, without a trend. */
	readonly isSupposed?: true;
	/** When the kubelet last evicted a pod, where that was seen. */
	readonly lastEvictionAt?: Instant;
};

/** What could not be seen, and what is assumed instead. */
export type PressureProblem = {
	readonly reason:
		| 'NoStatistics'
		| 'StaleStatistics'
		| 'NoConfiguration'
		| 'BadConfiguration'
		| 'FewStatistics'
		| 'SignalNotObserved'
		| 'PodsWithoutStatistics'
		| 'FileSystemsGuessed'
		| 'MetricsOnly'
		| 'ThresholdGuessed';
	readonly message: string;
};
