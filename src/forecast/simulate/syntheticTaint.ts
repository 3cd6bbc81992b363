import type {Pod} from '../../core/model/pod.ts';
import type {Taint} from '../../core/model/taint.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';

/**
 * What a node whose pods the node lifecycle controller deletes without a taint (until 1.26) carries in a trajectory: it comes
 * when the eviction of the node starts, and goes when the node is ready again. No such taint is ever seen in a cluster.
 */
export const syntheticTaint: Taint = {
	key: 'evictwatch.dev/evicted-without-taint',
	value: '',
	effect: 'NoExecute',
};

export const isSyntheticTaint = ({key}: Pick<Taint, 'key'>): boolean => key === syntheticTaint.key;

/** Whether such an eviction deletes a pod, whatever the pod tolerates. */
export const goesBySyntheticTaint = (pod: Pod): boolean => !belongsToDaemonSet(pod);
