import type {RecordedEvent} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {ProcessSettings} from '../nodelifecycle/processSettings.ts';
import type {Instant} from '../time/instant.ts';

export type SimulationOptions = {
	readonly settings: ControllerSettings;
	readonly process: ProcessSettings;
	/** The seed of everything that is random upstream. */
	readonly seed: number;
	readonly now: Instant;
	/** False for `--controllers=-taint-eviction-controller`: nodes are tainted, but no pod is deleted. */
	readonly hasTaintEviction?: boolean;
	/** Whether a patch of a node truncates its times to whole seconds, as the recorders of golden vectors do. */
	readonly patchesCutTimes?: boolean;
	/** Called for each Event that a controller posts; copies of the simulation do not call it. */
	readonly onEvent?: (event: RecordedEvent, postedAt: Instant) => void;
};
