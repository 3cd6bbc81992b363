import type {PodChange} from './whatIf.ts';

/** The pods that changes add to those that will be evicted, might be evicted, or are held. */
export function newlyInDanger(pods: readonly PodChange[]) {
	const added = pods.filter(({effect}) => effect === 'added');
	const isUnsure = ({after}: PodChange) => after.verdict === 'Unsure';
	return {
		sure: added.filter((pod) => !isUnsure(pod)),
		unsure: added.filter(isUnsure),
		held: pods.filter(becomesHeld),
	};
}

/** The held pods that are evicted by changes, and those that may be. */
export const releasedBy = (pods: readonly PodChange[]) => newlyInDanger(pods.filter(wasHeld));

/** A pod whose node would be lost while evictions are stopped: none goes, so its effect is `unchanged`, and yet it matters. */
export const becomesHeld = ({before, after}: PodChange): boolean =>
	after.verdict === 'Held' && before.verdict !== 'Held';

/** Whether evictions that are stopped keep a pod, as it is. */
export const wasHeld = ({before}: PodChange): boolean => before.verdict === 'Held';

/** A pod that is held before the changes, and that nothing evicts after them. */
export const isSaved = (pod: PodChange): boolean =>
	wasHeld(pod) && pod.after.eviction === null && pod.after.verdict !== 'Held';
