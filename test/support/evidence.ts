import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../src/core/model/controllerSettings.ts';
import type {ConditionStatus} from '../../src/core/model/node.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {findAffectedNodes} from '../../src/forecast/observe/affectedNodes.ts';
import {Evidence} from '../../src/forecast/observe/evidence.ts';
import {withReliableTimes} from '../../src/forecast/observe/reliableTimes.ts';
import {ClusterStore, changesOf} from '../../src/store/clusterStore.ts';
import {aCondition, aLease, aNode, aPod} from './builders.ts';

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

/** A node's Ready condition and its transition time; the node renewed its lease at instant zero. */
export type SeenNode = {
	readonly status: ConditionStatus;
	readonly since: Instant;
	readonly pod?: Partial<Pod> | undefined;
};

/** Evidence from one list of some nodes, each with a pod of its name. */
export function seenAtOnce(
	seen: Readonly<Record<string, SeenNode>>,
	settings: ControllerSettings,
	now: Instant,
) {
	const {evidence, list} = fedEvidence(settings);
	const all = Object.entries(seen);
	list({
		...{observedAt: now, source: 'cluster', problems: []},
		nodes: all.map(([name, {status, since}]) =>
			aNode(name, {conditions: [aCondition('Ready', status, {lastTransitionTime: since})]}),
		),
		leases: all.map(([name]) => aLease(name, 0)),
		pods: all.map(([name, {pod}]) => aPod(name, {nodeName: name, ...pod})),
	});
	return {evidence, affected: findAffectedNodes(evidence, now, settings)};
}
