import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {Evidence} from '../../src/forecast/observe/evidence.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';

/** Evidence with a store of its own, and what feeds both. */
export function fedEvidence(settings: ControllerSettings) {
	const store = new ClusterStore();
	const evidence = new Evidence(settings, store);
	return {
		evidence,
		list: (snapshot: ClusterSnapshot) =>
			evidence.observeSnapshot(snapshot, store.applySnapshot(snapshot).changes),
		observe: (observations: readonly Observation[], at: Instant) =>
			evidence.observe(store.apply(observations, at).changes, at),
	};
}
