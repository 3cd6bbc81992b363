import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {Forecaster} from '../forecast/forecaster.ts';
import {managedControlPlane} from '../forecast/settings/managedControlPlane.ts';
import {type ResolvedSettings, resolveSettings} from '../forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../forecast/settings/settingsEvidence.ts';

/** One snapshot, and the forecaster that answers questions about it. */
type SingleForecast = {
	readonly snapshot: ClusterSnapshot;
	/** For the instant of the snapshot: reading a large cluster takes a while. */
	readonly forecast: Forecast;
	readonly forecaster: Forecaster;
	/** The settings, including what the snapshot itself reveals of them. */
	readonly resolved: ResolvedSettings;
};

/** Forecasts from one snapshot. Its problems include those of the settings. */
export function lookOnce(seen: ClusterSnapshot, given: SettingsEvidence): SingleForecast {
	const evidence = {...given, managed: managedControlPlane(given.serverVersion, seen.nodes)};
	const assumed = resolveSettings(evidence);
	const first = observing(seen, assumed);
	const resolved = resolveSettings({...evidence, ...first.forecaster.learnByLook(seen.observedAt)});
	// The snapshot rarely disproves a setting, and observing a large cluster takes a while.
	const shown = ({span, problems}: ResolvedSettings) => JSON.stringify([span, problems]);
	const isSame = shown(resolved) === shown(assumed);
	const {snapshot, forecaster} = isSame ? first : observing(seen, resolved);
	return {snapshot, forecast: forecaster.forecast(snapshot.observedAt), forecaster, resolved};
}

function observing(seen: ClusterSnapshot, {settings, span, list, problems}: ResolvedSettings) {
	const snapshot = {...seen, problems: [...seen.problems, ...problems]};
	const forecaster = new Forecaster(settings, {span, list});
	forecaster.observeSnapshot(snapshot);
	return {snapshot, forecaster};
}
