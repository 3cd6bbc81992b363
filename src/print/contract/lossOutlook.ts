import type {ApiVersion, ListMetadataJson} from './common.ts';

type ZoneStateJson = 'Initial' | 'Normal' | 'PartialDisruption' | 'FullDisruption';

/** What `what-if --how-many-more` prints: how many further nodes each zone can lose. */
export type LossOutlookJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'LossOutlook';
	readonly metadata: ListMetadataJson;
	readonly zones: readonly {
		/** `region/zone`; a missing one is `<none>`. */
		readonly zone: string;
		readonly state: ZoneStateJson;
		/** How many nodes count. */
		readonly size: number;
		readonly ready: number;
		/** How many of those that are ready are silent: they count as lost in `steps`. */
		readonly silent: number;
		/** Nodes tainted per second; 0 where its evictions are stopped. */
		readonly rate: number;
		/** The state with so many nodes fewer. */
		readonly steps: readonly {
			readonly nodes: number;
			readonly state: ZoneStateJson;
			readonly rate: number;
		}[];
	}[];
	/** So many nodes more, which are all that are heard, and no zone works. */
	readonly untilAllStop: number;
};
