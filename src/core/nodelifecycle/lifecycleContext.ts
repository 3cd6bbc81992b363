import type {ClusterApi, PostedEvent} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Duration, Instant} from '../time/instant.ts';
import type {Random} from '../time/random.ts';
import type {NodeEvictions} from './nodeEvictions.ts';
import type {NodeHealth} from './nodeHealth.ts';
import type {Zones} from './zones/zones.ts';

/** What every step of the node lifecycle controller works on, at one instant. */
export type LifecycleContext = {
	readonly now: Instant;
	readonly settings: ControllerSettings;
	readonly api: ClusterApi;
	readonly zones: Zones;
	/** What is remembered of each node, also of those that are gone. */
	readonly health: Map<string, NodeHealth>;
	/** How far each node's eviction is, where nodes are evicted without taints. */
	readonly evictions: NodeEvictions;
	readonly random: Random;
	/** Whether the NoExecute pass is at work, and has calls to wait for. */
	readonly isNoExecutePassAtWork: boolean;
	/** How long the controller's cache takes to show a condition that it wrote. */
	readonly cacheDelay: Duration;
	readonly record: (event: PostedEvent) => void;
};
