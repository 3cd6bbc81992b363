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

/** The held pods that changes release: those that will be evicted, and those that might be. */
export const releasedBy = (pods: readonly PodChange[]) => newlyInDanger(pods.filter(wasHeld));

/** Whether a pod becomes held, as its node is lost while evictions are stopped: it matters, though it is `unchanged`. */
export const becomesHeld = ({before, after}: PodChange): boolean =>
	after.verdict === 'Held' && before.verdict !== 'Held';

/** Whether stopped evictions hold a pod before the changes. */
export const wasHeld = ({before}: PodChange) => before.verdict === 'Held';

/** Whether a pod is held before the changes, and not evicted after them. */
export const isSaved = (pod: PodChange) =>
	wasHeld(pod) && pod.after.eviction === null && pod.after.verdict !== 'Held';
