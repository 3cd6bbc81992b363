import type {Duration} from '../time/instant.ts';

/** What a kubelet says of its own configuration, as far as its heartbeats are concerned. */
export type KubeletConfig = {
	readonly node: string;
	readonly leaseDuration?: Duration;
	/** How often it looks whether its status has changed. */
	readonly statusUpdateFrequency?: Duration;
	/** How often it posts its status where nothing has changed. */
	readonly statusReportFrequency?: Duration;
};
