import type {Duration} from '../time/instant.ts';

/** How the machine that the controllers run on behaves, apart from their flags. */
export type ProcessSettings = {
	/** How long an API call takes. */
	readonly callDuration: Duration;
	/** How long a monitor pass takes, apart from its calls. */
	readonly passDuration: Duration;
	/** Whether the calls of the NoExecute pass wait and take time like all others. */
	readonly noExecuteCallsTakeTime: boolean;
	/** Whether a pass lists the nodes in an order that the seed decides, as Go's maps do; else by their names. */
	readonly listsNodesByChance?: boolean;
	/**
	 * When a NoExecute pass comes beside each monitor pass, and none in the 100 ms before it: just before it judges the zones,
	 * or only once it is over. Every 100 ms, whenever a pass comes, where it is not given.
	 */
	readonly noExecuteBesidePass?: 'inPass' | 'afterPass';
	/** How long the controller's cache takes to show a condition that it wrote; none by default. */
	readonly cacheDelay?: Duration;
};
