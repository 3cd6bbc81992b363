import type {Problem} from '../core/model/problem.ts';
import type {Instant} from '../core/time/instant.ts';
import type {NodeForecast} from './nodeForecast.ts';
import type {PassForecast} from './passForecast.ts';
import type {PodForecast} from './podForecast.ts';
import type {PressureForecast} from './pressure/pressureForecast.ts';
import type {ZoneForecast} from './zoneForecast.ts';

/** Everything predicted from what was seen up to one instant. */
export type Forecast = {
	readonly observedAt: Instant;
	readonly source: 'cluster' | 'file';
	readonly kubernetesVersion?: string;
	readonly problems: readonly Problem[];
	readonly pods: readonly PodForecast[];
	readonly nodes: readonly NodeForecast[];
	readonly zones: readonly ZoneForecast[];
	/** The monitor pass that is under way, where throttling makes it last. */
	readonly pass: PassForecast | null;
	/** What pressure does to the nodes that were looked at; absent where nobody looked. */
	readonly pressure?: readonly PressureForecast[];
};
