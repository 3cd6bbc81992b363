import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import {Forecaster} from '../forecast/forecaster.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import {managedControlPlane} from '../forecast/settings/managedControlPlane.ts';
import {type ResolvedSettings, resolveSettings} from '../forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../forecast/settings/settingsEvidence.ts';

/** The settings that forecasts are made with, and what shows them. */
export type SettingsInForce = {readonly resolved: ResolvedSettings; readonly evidence: SettingsEvidence};

/**
 * Forecasts from one snapshot, for its instant: reading a large cluster takes a while. Its problems include those of the
 * settings, which include what the snapshot itself reveals of them.
 *
 * @param isEnough as of `Forecaster.forecast`
 */
export function lookOnce(
	seen: ClusterSnapshot,
	given: SettingsEvidence,
	isEnough?: (pod: PodForecast) => boolean,
) {
	const evidence = {...given, managed: managedControlPlane(given.serverVersion, seen.nodes)};
	const assumed = resolveSettings(evidence);
	const first = observing(seen, assumed);
	const resolved = resolveSettings({...evidence, ...first.forecaster.learnByLook(seen.observedAt)});
	// The snapshot rarely disproves a setting, and observing a large cluster takes a while.
	const shown = ({span, problems}: ResolvedSettings) => JSON.stringify([span, problems]);
	const isSame = shown(resolved) === shown(assumed);
	const {snapshot, forecaster} = isSame ? first : observing(seen, resolved);
	const forecast = forecaster.forecast(snapshot.observedAt, isEnough);
	return {snapshot, forecast, forecaster, inForce: {resolved, evidence: given}};
}

function observing(seen: ClusterSnapshot, {settings, span, list, problems}: ResolvedSettings) {
	const snapshot = {...seen, problems: [...seen.problems, ...problems]};
	const forecaster = new Forecaster(settings, {span, list});
	forecaster.observeSnapshot(snapshot);
	return {snapshot, forecaster};
}
