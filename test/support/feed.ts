import type {ClusterStore, StoreSubscriber} from '../../src/store/clusterStore.ts';

/** Tells somebody with a store of its own what a watch brought. */
export const feed = (
	to: StoreSubscriber & {readonly store: ClusterStore},
	...batch: Parameters<ClusterStore['apply']>
): void => to.take(to.store.apply(...batch));
