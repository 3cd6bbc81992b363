import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {blogFormula} from '../conformance/blogFormula.ts';
import type {Recording} from './recording.ts';

/** What was said at one instant. */
export type Look = {
	readonly at: Instant;
	readonly snapshot: ClusterSnapshot;
	/** From one look alone. */
	readonly cold: Forecast;
	/** From all that the watch had brought by then. */
	readonly warm: Forecast;
	readonly blog: ReadonlyMap<string, Instant>;
};

/** Makes the forecasts of a recording: each sees what had arrived by its instant, and nothing more. */
export function* replay({observed, snapshots, settings, kubernetesVersion}: Recording): Generator<Look> {
	const watcher = new Forecaster(settings);
	let told = 0;
	for (const snapshot of snapshots) {
		const at = snapshot.observedAt;
		for (let next = observed[told]; next && next.at <= at; next = observed[told]) {
			watcher.observe(next.observations, next.at);
			told += 1;
		}
		if (told === 0) continue;
		const fresh = new Forecaster(settings);
		fresh.observeSnapshot({...snapshot, kubernetesVersion});
		yield {
			at,
			snapshot,
			cold: fresh.forecast(at),
			warm: watcher.forecast(at),
			blog: blogFormula(snapshot, settings),
		};
	}
}
