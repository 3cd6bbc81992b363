import type {ApiVersion, ListMetadataJson, RangeJson} from './common.ts';
import type {WorkloadImpactJson} from './workloadImpact.ts';

/** What `status` prints: an outage on one page. */
export type StatusJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'Status';
	readonly metadata: ListMetadataJson;
	/** Null where they may not be read. */
	readonly nodes: {readonly total: number; readonly notReady: number} | null;
	/** How many pods have each verdict; those that are Safe are not counted. */
	readonly pods: Readonly<Record<string, number>>;
	/** The pod that is evicted next; null where none is. */
	readonly next: {
		readonly namespace: string;
		readonly name: string;
		readonly node: string;
		readonly eviction: RangeJson;
	} | null;
	/** What stops evictions, what resumes them, and in which zones. */
	readonly held: readonly {
		readonly by: string;
		readonly releasedBy: string;
		readonly pods: number;
		readonly zones: readonly string[];
	}[];
	/** Workloads of which no pod stays ready. */
	readonly reachZero: readonly WorkloadImpactJson[];
	/** What one more dead node would do; null where no worker node is ready, or nodes may not be read. */
	readonly oneMoreNode: {
		readonly node: string;
		readonly zone: string;
		/** What changes for pods and workloads; null where the pods of the node were not read. */
		readonly impact: {
			/** How many more pods will be evicted, might be evicted, or are held. */
			readonly pods: {readonly evicted: number; readonly unsure: number; readonly held: number};
			/** Workloads that reach zero because of it. */
			readonly reachZero: readonly WorkloadImpactJson[];
		} | null;
		/** Another node, whose loss takes workloads to zero, where that of this one takes none; and how many. */
		readonly toZeroInstead?: {readonly node: string; readonly zone: string; readonly workloads: number};
	} | null;
	/** When the last eviction comes; null where none is predicted. Pods that are held come after it, if at all. */
	readonly ends: RangeJson | null;
};
