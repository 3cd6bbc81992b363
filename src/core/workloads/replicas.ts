import {isPodTerminal, type Pod} from '../model/pod.ts';

/** What the controllers of workloads look at in a pod. */
export type WorkloadPod = Pick<Pod, 'name' | 'phase' | 'ready' | 'deletionTimestamp'>;

/** Whether a pod is a replica: it has neither ended, nor is it being deleted. @upstream kubernetes v1.36.3 pkg/controller/controller_utils.go IsPodActive */
export const isActive = (pod: Pick<Pod, 'phase' | 'deletionTimestamp'>) =>
	!isPodTerminal(pod) && pod.deletionTimestamp === undefined;

/** Whether a pod is being deleted, and has not ended. @upstream kubernetes v1.36.3 pkg/controller/controller_utils.go IsPodTerminating */
export const isTerminating = (pod: Pick<Pod, 'phase' | 'deletionTimestamp'>) =>
	!isPodTerminal(pod) && pod.deletionTimestamp !== undefined;

export const isReady = ({ready}: Pick<Pod, 'ready'>) => ready === 'True';

/** In one pass a controller creates and deletes at most this many pods. */
const burstReplicas = 500;

/**
 * How many pods a ReplicaSet or ReplicationController creates, or deletes if the number is negative.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/replicaset/replica_set.go manageReplicas
 */
export const syncReplicas = (desired: number, active: number): number =>
	Math.max(-burstReplicas, Math.min(burstReplicas, desired - active));
