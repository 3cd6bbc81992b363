import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {podKey} from '../../src/core/model/pod.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {type ClusterStore, changesOf, type StoreSubscriber} from '../../src/store/clusterStore.ts';

type Fed = StoreSubscriber & {readonly store: ClusterStore};

/** Passes the observations of a watch to a consumer with its own store. */
export const feed = (to: Fed, ...batch: Parameters<ClusterStore['apply']>): void =>
	to.take(to.store.apply(...batch));

/** Passes on a second list: what it changed or removed may have happened at any time since `since`. */
export function listAgain(to: Fed, snapshot: ClusterSnapshot, since: Instant): void {
	const {nodes, pods, observedAt} = snapshot;
	const [names, keys] = [new Set(nodes.map(({name}) => name)), new Set(pods.map(podKey))];
	const gone: readonly Observation[] = [
		...[...to.store.nodes.keys()].flatMap((name) =>
			names.has(name) ? [] : [{type: 'nodeDeleted', name} as const],
		),
		...[...to.store.pods.values()].flatMap(({namespace, name}) =>
			keys.has(podKey({namespace, name})) ? [] : [{type: 'podDeleted', namespace, name} as const],
		),
	];
	feed(to, [...gone, ...changesOf(snapshot)], observedAt, {type: 'late', since});
}
