import type {ApiVersion, ListMetadataJson, TimestampJson} from './common.ts';
import type {EndingJson} from './ending.ts';
import type {PodForecastJson} from './podForecast.ts';
import type {WorkloadImpactJson} from './workloadImpact.ts';
import type {ZoneStoryJson} from './zoneForecast.ts';

/** A pod by its names. */
export type PodNameJson = {readonly namespace: string; readonly name: string};

/** What becomes of a pod, as in its forecast. */
export type OutlookJson = Pick<PodForecastJson, 'verdict' | 'eviction' | 'cause' | 'because' | 'after'> & {
	/** All that ends it by itself: whoever gets there first at the top. */
	readonly endings: readonly EndingJson[];
};

/** What `what-if` prints: what changes would do. */
export type WhatIfJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'WhatIf';
	readonly metadata: ListMetadataJson;
	/** What was supposed, in the order of the instants. */
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
		/** In words. */
		readonly what: string;
	}[];
	/** The pods of nodes that are in trouble or changed, and those that a device taint evicts. */
	readonly pods: readonly {
		readonly metadata: PodNameJson & {readonly uid: string};
		readonly node: string;
		readonly zone: string;
		/** Added: it would stay, and goes. Avoided: it would go, and stays. Moved: it goes, or may go, either way, at another time or more or less surely. */
		readonly effect: 'added' | 'avoided' | 'moved' | 'unchanged';
		/** How much later it goes; null unless it goes before and after. */
		readonly shiftSeconds: number | null;
		readonly before: OutlookJson;
		readonly after: OutlookJson;
	}[];
	/** For each node that is supposed to be tainted out-of-service. */
	readonly outOfService: readonly {
		readonly node: string;
		/** Whether the node is ready: then nothing is forced. */
		readonly isReady: boolean;
		readonly deleted: readonly PodNameJson[];
		/** Pods that were on their way out. */
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
	/** Null where the workload loses no pod. */
	readonly workloads: readonly {
		readonly before: WorkloadImpactJson | null;
		readonly after: WorkloadImpactJson | null;
	}[];
};
