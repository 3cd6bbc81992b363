import {isDeepStrictEqual} from 'node:util';
import type {ClusterSnapshot} from '../../../src/core/model/clusterSnapshot.ts';
import type {Lease} from '../../../src/core/model/lease.ts';
import type {Observation} from '../../../src/core/model/observation.ts';

/** Known objects, by `node NAME`, `pod NAMESPACE/NAME`, `lease NAMESPACE/NAME`. */
type State = ReadonlyMap<string, unknown>;

/** The state after these observations. */
export function stateOf(observations: readonly Observation[]): State {
	const state = new Map<string, unknown>();
	for (const observation of observations) {
		switch (observation.type) {
			case 'nodeApplied':
				state.set(`node ${observation.node.name}`, observation.node);
				break;
			case 'nodeDeleted':
				state.delete(`node ${observation.name}`);
				break;
			case 'podApplied':
				state.set(`pod ${observation.pod.namespace}/${observation.pod.name}`, observation.pod);
				break;
			case 'podDeleted':
				state.delete(`pod ${observation.namespace}/${observation.name}`);
				break;
			case 'leaseApplied':
				state.set(`lease ${observation.lease.namespace}/${observation.lease.name}`, observation.lease);
				break;
			case 'leaseDeleted':
				state.delete(`lease ${observation.namespace}/${observation.name}`);
				break;
		}
	}
	return state;
}

/** The state of a list. */
export function stateOfSnapshot({nodes, pods, leases = []}: ClusterSnapshot): State {
	return stateOf([
		...nodes.map((node) => ({type: 'nodeApplied', node}) as const),
		...pods.map((pod) => ({type: 'podApplied', pod}) as const),
		...leases.map((lease) => ({type: 'leaseApplied', lease}) as const),
	]);
}

/** The differences of a known state from a list that was made before it. A lease may have been renewed since. */
export function lagging(known: State, listed: State): readonly string[] {
	const missing = [...listed].flatMap(([key, object]) => {
		if (!known.has(key)) return [`${key} is missing`];
		return isUpToDate(known.get(key), object) ? [] : [`${key} is old`];
	});
	const left = [...known.keys()].filter((key) => !listed.has(key)).map((key) => `${key} is gone`);
	return [...missing, ...left];
}

function isUpToDate(known: unknown, listed: unknown): boolean {
	const [before, after] = [(listed as Lease).renewTime, (known as Lease).renewTime];
	if (before !== undefined && after !== undefined) return after >= before;
	return isDeepStrictEqual(known, listed);
}
