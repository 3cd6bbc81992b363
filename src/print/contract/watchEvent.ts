import type {ClusterForecastJson} from './clusterForecast.ts';
import type {NodeForecastJson} from './nodeForecast.ts';
import type {PodDeletionJson} from './podDeletion.ts';
import type {PodForecastJson} from './podForecast.ts';
import type {ZoneForecastJson} from './zoneForecast.ts';

/** One line of `-w -o json`. */
export type WatchedJson =
	| PodForecastJson
	| NodeForecastJson
	| ZoneForecastJson
	| ClusterForecastJson
	| PodDeletionJson;

/** One line of `-w -o json --output-watch-events`. */
export type WatchEventJson = {
	readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
	readonly object: WatchedJson;
};
