import type {ApiVersion, ListMetadataJson, RangeJson} from './common.ts';

/** What a forecast means for one workload. */
export type WorkloadImpactJson = {
	readonly kind: string;
	readonly name: string;
	readonly namespace: string;
	/** How many there should be; null where that could not be read. */
	readonly desired: number | null;
	/** How many are ready now; null where that could not be read. */
	readonly readyNow: number | null;
	/** In the order in which they are expected. */
	readonly losses: readonly {
		readonly pod: string;
		readonly node: string;
		readonly at: RangeJson;
		/** NotReady: its node turns Unknown, and endpoints go. Evicted: its deletion is asked for. */
		readonly kind: 'NotReady' | 'Evicted';
		/** How many are ready then, if nothing new has become so; null where that is not known. */
		readonly ready: number | null;
	}[];
	/** The fewest that are ready, and from when; `at` is null where it is so already. */
	readonly lowest: {readonly ready: number | null; readonly at: RangeJson | null};
	/** Whether none is left; null where that is not known. */
	readonly reachesZero: boolean | null;
	/** How many of the evictions each budget would have forbidden: taint evictions do not ask. */
	readonly budgets: readonly {readonly name: string; readonly forbids: number}[];
	/** Services that lose endpoints. */
	readonly services: readonly string[];
	/** Of those whose endpoints could be read. */
	readonly endpoints: readonly {
		readonly service: string;
		readonly readyNow: number;
		/** Endpoints of pods in trouble that are lost already: long before their eviction. */
		readonly alreadyLost: number;
		/** The fewest that are ready, and from when; `at` is null where it is so already. */
		readonly lowest: {readonly ready: number; readonly at: RangeJson | null};
	}[];
	readonly priority: number;
	/** How many of its pods are Held: they are evicted once evictions resume. */
	readonly held: number;
	/** How many pods end each way. */
	readonly outcomes: Readonly<Record<string, number>>;
};

/** What `workloads` prints: those that reach zero first. */
export type WorkloadImpactListJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'WorkloadImpactList';
	readonly metadata: ListMetadataJson;
	readonly items: readonly WorkloadImpactJson[];
};
