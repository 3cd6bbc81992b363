import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';

/** A forecaster that saw one list of a cluster, which holds nothing but what is given; settings are the defaults but for these. */
export function aForecaster(
	settings: Partial<ControllerSettings>,
	seen: Pick<ClusterSnapshot, 'observedAt'> & Partial<ClusterSnapshot>,
): Forecaster {
	const forecaster = new Forecaster({...defaultSettings, ...settings});
	forecaster.observeSnapshot({
		...{source: 'cluster', nodes: [], leases: undefined, pods: [], problems: []},
		...seen,
	});
	return forecaster;
}
