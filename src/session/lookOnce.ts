import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {Forecaster} from '../forecast/forecaster.ts';
import type {ResolvedSettings} from '../forecast/settings/resolve.ts';

/** What one look shows, and who answers questions about it. */
type Look = {
	readonly snapshot: ClusterSnapshot;
	/** Made for when it was seen: a large cluster takes a while to read. */
	readonly forecast: Forecast;
	readonly forecaster: Forecaster;
};

/** Forecasts from one look: what it shows is all that is known. Its problems include those of the settings. */
export function lookOnce(seen: ClusterSnapshot, {settings, problems, list}: ResolvedSettings): Look {
	const snapshot = {...seen, problems: [...seen.problems, ...problems]};
	const forecaster = new Forecaster(settings, {list});
	forecaster.observeSnapshot(snapshot);
	return {snapshot, forecast: forecaster.forecast(snapshot.observedAt), forecaster};
}
