import type {ClusterApi, PostedEvent} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Duration, Instant} from '../time/instant.ts';
import type {Random} from '../time/random.ts';
import type {MonitorPass} from './monitorPass.ts';
import type {NodeEvictions} from './nodeEvictions.ts';
import type {NodeHealth} from './nodeHealth.ts';
import type {Zones} from './zones/zones.ts';

/** The state that every step of the node lifecycle controller works on, at one instant. */
export type LifecycleContext = Readonly<{
	now: Instant;
	settings: ControllerSettings;
	api: ClusterApi;
	zones: Zones;
	/** The remembered health of each node, including deleted ones. */
	health: Map<string, NodeHealth>;
	/** The eviction status of each node, if nodes are evicted without taints. */
	evictions: NodeEvictions;
	random: Random;
	/** The monitor pass in progress. */
	pass: MonitorPass | undefined;
	/** Whether the NoExecute pass is in progress and waits for calls. */
	isNoExecutePassAtWork: boolean;
	/** Whether marking a pod not ready takes the time of a call. */
	podMarksTakeTime: boolean;
	/** How long the controller's cache takes to show a condition that the controller wrote. */
	cacheDelay: Duration;
	record: (event: PostedEvent) => void;
}>;
