import type {Problem} from '../core/model/problem.ts';
import type {Instant} from '../core/time/instant.ts';
import type {NodeForecast} from './nodeForecast.ts';
import type {PodForecast} from './podForecast.ts';
import type {PressureForecast} from './pressure/pressureForecast.ts';
import type {Range} from './range.ts';
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

/** A monitor pass that throttling makes last: how far it is, and when it will have come how far. */
export type PassForecast = {
	readonly startedAt: Instant;
	/** How many nodes it has turned Unknown. */
	readonly marked: number;
	/** How many silent nodes it has still to come to. Which one is next is chance. */
	readonly remaining: number;
	/** When it turns the first of those Unknown, the second, and so on. */
	readonly unknown: readonly Range[];
	/** When it, or the next one, which takes the nodes that this one passed by, has come to the last of them. */
	readonly endsAt: Range | null;
};
