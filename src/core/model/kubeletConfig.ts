import type {Duration} from '../time/instant.ts';

/** The part of a kubelet's configuration that concerns its heartbeats. */
export type KubeletConfig = Readonly<{
	node: string;
	leaseDuration?: Duration | undefined;
	/** How often it checks whether its status has changed. */
	statusUpdateFrequency?: Duration | undefined;
	/** How often it posts its status even if nothing has changed. */
	statusReportFrequency?: Duration | undefined;
}>;
