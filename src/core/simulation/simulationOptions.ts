import type {RecordedEvent} from '../client/clusterApi.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {ProcessSettings} from '../nodelifecycle/processSettings.ts';
import type {Instant} from '../time/instant.ts';

export type SimulationOptions = Readonly<{
	settings: ControllerSettings;
	process: ProcessSettings;
	/** The seed of everything that is random upstream. */
	seed: number;
	now: Instant;
	/** False for `--controllers=-taint-eviction-controller`: nodes are tainted, but no pod is deleted. */
	hasTaintEviction?: boolean;
	/** Whether a patch of a node truncates its times to whole seconds, as the recorders of golden vectors do. */
	patchesCutTimes?: boolean;
	/** Called for each Event that a controller posts; copies of the simulation do not call it. */
	onEvent?: (event: RecordedEvent, postedAt: Instant) => void;
}>;
