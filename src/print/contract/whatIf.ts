import type {ApiVersion, ListMetadataJson, TimestampJson} from './common.ts';
import type {EndingJson} from './ending.ts';
import type {PodForecastJson} from './podForecast.ts';
import type {WorkloadImpactJson} from './workloadImpact.ts';
import type {ZoneStoryJson} from './zoneForecast.ts';

/** The names of a pod. */
export type PodNameJson = {readonly namespace: string; readonly name: string};

/** The prospects of a pod, as in its forecast. */
export type OutlookJson = Pick<PodForecastJson, 'verdict' | 'eviction' | 'cause' | 'because' | 'after'> & {
	/** Everything that ends it without intervention, the earliest first. */
	readonly endings: readonly EndingJson[];
};

/** Printed by `what-if`: the effect of changes. */
export type WhatIfJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'WhatIf';
	readonly metadata: ListMetadataJson;
	/** The assumed changes, in chronological order. */
	readonly changes: readonly {
		readonly at: TimestampJson;
		readonly type:
			| 'nodeDown'
			| 'nodeBack'
			| 'deleteNode'
			| 'cordon'
			| 'taint'
			| 'untaint'
			| 'deviceTaint'
			| 'tolerations'
			| 'controllersDown'
			| 'controllersStart';
		/** As text. */
		readonly what: string;
	}[];
	/** The pods of affected or changed nodes, and those that a device taint evicts. */
	readonly pods: readonly {
		readonly metadata: PodNameJson & {readonly uid: string};
		readonly node: string;
		readonly zone: string;
		/** Added: evicted only with the changes. Avoided: evicted only without them. Moved: evicted either way, at another time or with another certainty. */
		readonly effect: 'added' | 'avoided' | 'moved' | 'unchanged';
		/** How much later it is evicted; null unless it is evicted with and without the changes. */
		readonly shiftSeconds: number | null;
		readonly before: OutlookJson;
		readonly after: OutlookJson;
	}[];
	/** One for each node that the changes taint out-of-service. */
	readonly outOfService: readonly {
		readonly node: string;
		/** Whether the node is ready: then nothing is forced. */
		readonly isReady: boolean;
		readonly deleted: readonly PodNameJson[];
		/** Pods that were already Terminating. */
		readonly terminating: readonly PodNameJson[];
		readonly staying: readonly PodNameJson[];
		/** Names of the persistent volumes that are detached at once. */
		readonly volumes: readonly string[];
	}[];
	readonly zones: readonly {
		/** `region/zone`; a missing one is `<none>`. */
		readonly zone: string;
		readonly before: ZoneStoryJson;
		readonly after: ZoneStoryJson;
	}[];
	/** Null if the workload loses no pod. */
	readonly workloads: readonly {
		readonly before: WorkloadImpactJson | null;
		readonly after: WorkloadImpactJson | null;
	}[];
};
