import type {Range} from '../../forecast/range.ts';
import type {ZoneForecast, ZoneStop} from '../../forecast/zoneForecast.ts';
import type {ItemJson, ListJson} from './common.ts';

/** What happens in one zone if nothing else changes, and why. */
export type ZoneForecastJson = ItemJson<'ZoneForecast', {readonly name: string}> &
	Pick<
		ZoneForecast,
		| ('zone' | 'size' | 'notReady' | 'silent' | 'late' | 'rate')
		| ('queue' | 'coming' | 'toNextState' | 'because')
	> &
	Readonly<{
		/** `Gone` only occurs in a watch, once the zone has no node. */
		state: ZoneForecast['state'] | 'Gone';
		/** Whether nodes that are not seen may be of the zone, or of others, so that its state and rate are open. */
		stateAssumed: boolean;
		/** Whether nothing shows that rate yet, so that it is only the likeliest one. */
		rateAssumed: boolean;
		/** Whether nothing shows at how many nodes down it changes its state. */
		thresholdsAssumed: boolean;
		/** When the zone's token bucket next has a token; null if its evictions are stopped. */
		nextToken: Range | null;
		/** When the zone's next NoExecute taints are added, in order; which nodes get them is random. */
		nextTaints: readonly Range[];
		/** What keeps its nodes from being tainted, and what resumes that; null if nothing does. */
		stopped: ZoneStop | null;
	}>;

/** Printed by `zones`. */
export type ZoneForecastListJson = ListJson<'ZoneForecast', ZoneForecastJson>;
