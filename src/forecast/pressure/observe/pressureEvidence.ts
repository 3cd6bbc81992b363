import type {NodeCondition} from '../../../core/model/node.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import type {EvictedPod, KubeletReport, StatisticsSource} from '../../../core/nodepressure/pressureLook.ts';
import type {Summary} from '../../../core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../../core/nodepressure/thresholds/evictionSettings.ts';
import type {Instant} from '../../../core/time/instant.ts';

export type SummarySample = {readonly seenAt: Instant; readonly summary: Summary};

export type PressureEvidence = Readonly<{
	node: string;
	/** Oldest first; none if the kubelet could not be queried. */
	samples: readonly SummarySample[];
	/** The kubelet's configuration from configz; absent if that cannot be read: then defaults are assumed. */
	config?: EvictionConfig;
	/** The node's pods that have not ended. */
	pods: readonly NodePod[];
	conditions: readonly NodeCondition[];
	/** The source of the samples; by default the kubelet. */
	source?: StatisticsSource;
	/** The pods whose status shows that their kubelet evicted them. */
	evicted: readonly EvictedPod[];
	reports: readonly KubeletReport[];
}>;

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
