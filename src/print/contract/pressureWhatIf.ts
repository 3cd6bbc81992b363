import type {ApiVersion} from './common.ts';
import type {PressureForecastJson, PressureForecastListJson, SignalNameJson} from './pressureForecast.ts';

/** What `what-if --pressure` prints: which pods kubelets would evict if the given amounts were left. */
export type PressureWhatIfJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'PressureWhatIf';
	readonly metadata: PressureForecastListJson['metadata'];
	readonly nodes: readonly {
		readonly node: string;
		/** What is supposed to be left from now on, in bytes, inodes or processes. */
		readonly supposed: readonly {readonly signal: SignalNameJson; readonly left: number}[];
		/** As it is. */
		readonly before: PressureForecastJson;
		/** As it would be, with no trend: its order of eviction stands in the signals. */
		readonly after: PressureForecastJson;
	}[];
};
