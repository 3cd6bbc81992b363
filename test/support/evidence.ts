import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {Evidence} from '../../src/forecast/observe/evidence.ts';
import {withReliableTimes} from '../../src/forecast/observe/reliableTimes.ts';
import {ClusterStore, changesOf} from '../../src/store/clusterStore.ts';

/** Evidence with its own store, and functions that feed both. */
export function fedEvidence(settings: ControllerSettings) {
	const store = new ClusterStore();
	const evidence = new Evidence(settings, store);
	return {
		evidence,
		list: (snapshot: ClusterSnapshot) => {
			const {nodes, leases, observedAt} = snapshot;
			if (nodes.length > 0 && leases) evidence.observedNodes.showLeases();
			const {changes} = store.apply(changesOf(snapshot), observedAt);
			evidence.observe(withReliableTimes(changes, settings), observedAt);
		},
		observe: (observations: readonly Observation[], at: Instant) =>
			evidence.observe(store.apply(observations, at).changes, at),
	};
}
