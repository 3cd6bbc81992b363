import type {ApiVersion, ListMetadataJson, ZoneStateJson} from './common.ts';

/** Printed by `what-if --how-many-more`: how many more nodes each zone can lose. */
export type LossOutlookJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'LossOutlook';
	readonly metadata: ListMetadataJson;
	readonly zones: readonly {
		/** `region/zone`; a missing one is `<none>`. */
		readonly zone: string;
		readonly state: ZoneStateJson;
		/** The number of nodes that count. */
		readonly size: number;
		readonly ready: number;
		/** The number of ready nodes that are silent; they count as lost in `steps`. */
		readonly silent: number;
		/** The number of ready nodes that are late with a renewal: they may be lost. */
		readonly late: number;
		/** Nodes tainted per second; 0 if its evictions are stopped. */
		readonly rate: number;
		/** The state that its silent nodes bring, if it is another. */
		readonly coming?: ZoneStateJson;
		/** The state after this many more losses. */
		readonly steps: readonly {
			readonly nodes: number;
			readonly state: ZoneStateJson;
			readonly rate: number;
		}[];
	}[];
	/** The number of nodes that are ready and not silent; if all are lost, no zone evicts. */
	readonly untilAllStop: number;
};
