import type {RecordedEvent} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {ProcessSettings} from '../nodelifecycle/nodeLifecycleController.ts';
import type {Instant} from '../time/instant.ts';

/** What a simulation is made from. */
export type SimulationOptions = {
	readonly settings: ControllerSettings;
	readonly process: ProcessSettings;
	/** Decides what upstream leaves to chance. */
	readonly seed: number;
	readonly now: Instant;
	/** Whether the controllers' writes change the cluster, or are only told of. */
	readonly isClosed: boolean;
	/** False for `--controllers=-taint-eviction-controller`: nodes are tainted, no pod goes. */
	readonly hasTaintEviction?: boolean;
	/** Whether the pod garbage collector runs with the other controllers; it does not unless asked for. */
	readonly hasPodGc?: boolean;
	/** Whether a patch of a node cuts its times off to whole seconds, as the recorders of golden traces do. */
	readonly patchesCutTimes?: boolean;
	/** Hears of each event that a controller posts. A copy of the simulation tells nobody. */
	readonly onEvent?: (event: RecordedEvent, postedAt: Instant) => void;
};
