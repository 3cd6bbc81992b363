import type {Duration} from '../time/instant.ts';

/** How many workers taint nodes that changed, and how many mark pods. */
export const nodeWorkers = 8;
export const podWorkers = 4;

/** How the machine of the controllers behaves, apart from their flags. */
export type ProcessSettings = Readonly<{
	/** How long an API call takes. */
	callDuration: Duration;
	/** How long a monitor pass takes, without its calls. */
	passDuration: Duration;
	/** Whether the calls of the NoExecute pass wait and take time like all others. */
	noExecuteCallsTakeTime: boolean;
	/** Whether the writes that mark pods not ready wait and take time like all other calls; if absent, they do. */
	podMarksTakeTime?: boolean;
	/** Whether a pass lists the nodes in random order, as Go's maps do; otherwise by name. */
	listsNodesInRandomOrder?: boolean;
	/**
	 * When a NoExecute pass runs around a monitor pass, instead of in the 100 ms before it: just before it judges the
	 * zones, or after it has ended. If absent, one runs every 100 ms.
	 */
	noExecuteBesidePass?: 'inPass' | 'afterPass';
	/** Whether the first NoExecute pass may come, by chance, while the first monitor pass checks nodes: both begin at one instant. */
	firstPassesMeet?: boolean;
	/** How long the controller's cache takes to show a condition that it wrote; none by default. */
	cacheDelay?: Duration;
}>;
