import type {ApiVersion, ListMetadataJson, RangeJson} from './common.ts';
import type {WorkloadImpactJson} from './workloadImpact.ts';

/** Printed by `status`: an outage on one page. */
export type StatusJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'Status';
	readonly metadata: ListMetadataJson;
	/** Null if they may not be read. */
	readonly nodes: {readonly total: number; readonly notReady: number} | null;
	/** The number of pods per verdict, without Safe and without pods that have ended. */
	readonly pods: Readonly<Record<string, number>>;
	/** The pod that is evicted next; null if there is none. */
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
	/** Workloads that will have no ready pod. */
	readonly reachZero: readonly WorkloadImpactJson[];
	/** Further workloads that fall below a PodDisruptionBudget. */
	readonly belowBudget: readonly WorkloadImpactJson[];
	/** The effect of one more node failing; null if no worker node is ready, or nodes may not be read. */
	readonly oneMoreNode: {
		readonly node: string;
		readonly zone: string;
		/** The changes for pods and workloads; null if the pods of the node were not read. */
		readonly impact: {
			/** How many more pods will be evicted, might be evicted, or are held. */
			readonly pods: {readonly evicted: number; readonly unsure: number; readonly held: number};
			/** Workloads that reach zero because of it. */
			readonly reachZero: readonly WorkloadImpactJson[];
		} | null;
		/** Another node whose loss takes workloads to zero, with their number, if the loss of this one takes none. */
		readonly toZeroInstead?: {readonly node: string; readonly zone: string; readonly workloads: number};
	} | null;
	/** When the first eviction happens, of whichever pod; null if none is predicted. */
	readonly starts: RangeJson | null;
	/** When the last eviction happens; null if none is predicted. Held pods are evicted later, if at all. */
	readonly ends: RangeJson | null;
};
