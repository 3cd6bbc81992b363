import type {ClusterApi, PostedEvent} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Duration, Instant} from '../time/instant.ts';
import type {Random} from '../time/random.ts';
import type {MonitorPass} from './monitorPass.ts';
import type {NodeEvictions} from './nodeEvictions.ts';
import type {NodeHealth} from './nodeHealth.ts';
import type {Zones} from './zones/zones.ts';

/** The state that every step of the node lifecycle controller works on, at one instant. */
export type LifecycleContext = {
	readonly now: Instant;
	readonly settings: ControllerSettings;
	readonly api: ClusterApi;
	readonly zones: Zones;
	/** The remembered health of each node, including deleted ones. */
	readonly health: Map<string, NodeHealth>;
	/** The eviction status of each node, if nodes are evicted without taints. */
	readonly evictions: NodeEvictions;
	readonly random: Random;
	/** The monitor pass in progress. */
	readonly pass: MonitorPass | undefined;
	/** Whether the NoExecute pass is in progress and waits for calls. */
	readonly isNoExecutePassAtWork: boolean;
	/** Whether marking a pod not ready takes the time of a call. */
	readonly podMarksTakeTime: boolean;
	/** How long the controller's cache takes to show a condition that the controller wrote. */
	readonly cacheDelay: Duration;
	readonly record: (event: PostedEvent) => void;
};
