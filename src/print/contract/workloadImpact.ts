import type {ListJson, RangeJson} from './common.ts';

/** The effect of a forecast on one workload. */
export type WorkloadImpactJson = {
	readonly kind: string;
	readonly name: string;
	readonly namespace: string;
	/** The desired number of pods; null if it could not be read. */
	readonly desired: number | null;
	/** The number of ready pods; null if it could not be read. */
	readonly readyNow: number | null;
	/** In expected chronological order. */
	readonly losses: readonly {
		readonly pod: string;
		readonly node: string;
		readonly at: RangeJson;
		/** NotReady: its node becomes Unknown, so its endpoints are removed. Evicted: its deletion is requested. */
		readonly kind: 'NotReady' | 'Evicted';
		/** How many are ready then, if none are added; null if not known. */
		readonly ready: number | null;
	}[];
	/** The lowest number of ready pods, and from when; `at` is null if it is reached already. */
	readonly lowest: {readonly ready: number | null; readonly at: RangeJson | null};
	/** Whether no ready pod is left; null if not known. */
	readonly reachesZero: boolean | null;
	/** The PodDisruptionBudgets that cover its pods; evictions by taints ignore them. */
	readonly budgets: readonly {
		readonly name: string;
		/** The number of healthy pods that it wants, and the lowest that this workload leaves. */
		readonly desiredHealthy: number;
		readonly lowestHealthy: number;
		/** How many of the evictions it would have forbidden. */
		readonly forbids: number;
	}[];
	/** Services that lose endpoints. */
	readonly services: readonly string[];
	/** The losses of the services whose endpoints could be read. */
	readonly endpoints: readonly {
		readonly service: string;
		readonly readyNow: number;
		/** Endpoints of affected pods that are lost already, long before their eviction. */
		readonly alreadyLost: number;
		/** The lowest number of ready endpoints, and from when; `at` is null if it is reached already. */
		readonly lowest: {readonly ready: number; readonly at: RangeJson | null};
	}[];
	readonly priority: number;
	/** The number of Held pods, which are evicted once evictions resume. */
	readonly held: number;
	/** The number of pods per outcome. */
	readonly outcomes: Readonly<Record<string, number>>;
};

/** Printed by `workloads`, those that reach zero first. */
export type WorkloadImpactListJson = ListJson<'WorkloadImpact', WorkloadImpactJson>;
