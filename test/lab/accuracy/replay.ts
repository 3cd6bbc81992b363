import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import {unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import type {Observation, Provenance} from '../../../src/core/model/observation.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Forecast} from '../../../src/forecast/forecast.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import type {SettingsEvidence} from '../../../src/forecast/settings/settingsEvidence.ts';
import {lookOnce} from '../../../src/session/lookOnce.ts';
import {blogFormula} from '../../conformance/blogFormula.ts';
import {aForecaster} from '../../support/aForecaster.ts';
import {feed} from '../../support/feed.ts';
import {learningWatcher} from '../../support/learningWatcher.ts';
import type {Recording} from './recording.ts';

/** The forecasts at one instant. */
export type Look = {
	readonly at: Instant;
	/** The forecast from everything that the watch had delivered by then. */
	readonly warm: Forecast;
	/** The list at this instant, if any. */
	readonly fresh?: {
		readonly snapshot: ClusterSnapshot;
		/** The forecast from this list alone. */
		readonly cold: Forecast;
		readonly blog: ReadonlyMap<string, Instant>;
	};
};

/** A watch can forecast at any time, and errs most just before an effect, so it also forecasts between the lists. */
const pause = second / 4;
/** In a large cluster that would take hours. */
const manyNodes = 50;

/** Receives the observations of a watch, and forecasts. */
export type Watcher = {
	observe(observations: readonly Observation[], at: Instant, provenance?: Provenance): void;
	forecast(now: Instant): Forecast;
};

const watcherWith = (forecaster: Forecaster): Watcher => ({
	observe: (observations, at, provenance) => feed(forecaster, observations, at, provenance),
	forecast: (now) => forecaster.forecast(now),
});

/** Makes the forecasts of a recording, each from what had arrived by its instant. */
export function* replay(
	recording: Recording,
	watcher: Watcher = recording.hidesFlags
		? learningWatcher(unknownSettings(recording))
		: watcherWith(new Forecaster(recording.settings)),
): Generator<Look> {
	const {observed} = recording;
	let delivered = 0;
	for (const {at, snapshot} of instantsOf(recording)) {
		for (let next = observed[delivered]; next && next.at <= at; next = observed[delivered]) {
			watcher.observe(next.observations, next.at, next.provenance);
			delivered += 1;
		}
		if (delivered === 0) continue;
		const fresh = snapshot && lookAt(snapshot, recording);
		yield {at, warm: watcher.forecast(at), ...(fresh && {fresh})};
	}
}

/** The evidence about settings when only the version is known. */
export const unknownSettings = ({
	kubernetesVersion,
}: Pick<Recording, 'kubernetesVersion'>): SettingsEvidence => ({
	...{flags: {}, versionFlag: undefined, serverVersion: kubernetesVersion},
	controlPlane: unseenControlPlane('it is hidden for this measurement'),
});

function coldForecast(snapshot: ClusterSnapshot, recording: Recording): Forecast {
	const seen = {...snapshot, kubernetesVersion: recording.kubernetesVersion};
	if (recording.hidesFlags) return lookOnce(seen, unknownSettings(recording)).forecast;
	const forecaster = aForecaster(recording.settings, seen);
	return forecaster.forecast(snapshot.observedAt);
}

function lookAt(snapshot: ClusterSnapshot, recording: Recording): Look['fresh'] {
	return {snapshot, cold: coldForecast(snapshot, recording), blog: blogFormula(snapshot, recording.settings)};
}

type When = {readonly at: Instant; readonly snapshot?: ClusterSnapshot};

function instantsOf({snapshots, steps, endedAt, askedEvery = pause}: Recording): readonly When[] {
	const lists: When[] = snapshots.map((snapshot) => ({at: snapshot.observedAt, snapshot}));
	const start = steps[0]?.at;
	if (start === undefined || (snapshots[0]?.nodes.length ?? 0) > manyNodes) return lists;
	const between = Array.from({length: Math.floor((endedAt - start) / askedEvery)}, (_, i) => ({
		at: start + i * askedEvery,
	}));
	return [...lists, ...between].toSorted((a, b) => a.at - b.at);
}
