import type {ApiVersion} from './common.ts';
import type {PressureForecastJson, PressureForecastListJson, SignalNameJson} from './pressureForecast.ts';

/** Printed by `what-if --pressure`: which pods kubelets would evict if the given amounts were left. */
export type PressureWhatIfJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'PressureWhatIf';
	readonly metadata: PressureForecastListJson['metadata'];
	readonly nodes: readonly {
		readonly node: string;
		/** The assumed remaining amounts from now on, in bytes, inodes or processes. */
		readonly supposed: readonly {readonly signal: SignalNameJson; readonly left: number}[];
		/** The current forecast. */
		readonly before: PressureForecastJson;
		/** The forecast with these amounts and without a trend; the order of eviction is in the signals. */
		readonly after: PressureForecastJson;
	}[];
};
