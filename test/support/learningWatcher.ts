import {batch} from '../../src/core/model/observation.ts';
import {finish} from '../../src/forecast/pausable.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {type ForecastStage, sessionOn} from '../../src/session/session.ts';
import type {ClusterStore} from '../../src/store/clusterStore.ts';

/**
 * A session without output that learns settings: tests pass it observations, and request forecasts.
 *
 * @param stageOf a further stage of its forecasts
 */
export function learningWatcher(
	evidence: SettingsEvidence,
	stageOf?: (store: ClusterStore) => ForecastStage,
) {
	const known = learning(evidence);
	const session = sessionOn({...known, stages: stageOf ? [stageOf(known.store)] : []});
	return {
		...{...known, session},
		observe: (...parts: Parameters<typeof batch>) => session.push(batch(...parts)),
		forecast: (now: number) => finish(session.forecastInSteps(now)),
	};
}
