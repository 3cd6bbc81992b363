import type {Instant} from '../time/instant.ts';
import type {PodClaim} from './device.ts';
import type {ConditionStatus} from './node.ts';
import type {Toleration} from './toleration.ts';

/** The owner that controls a pod (ownerReferences with controller: true). */
export type PodOwner = {readonly kind: string; readonly name: string; readonly uid: string};

/** Who announces the end of a pod beside the controllers that are foretold: reasons of its DisruptionTarget condition. */
export const disrupters = ['PreemptionByScheduler', 'EvictionByEvictionAPI', 'TerminationByKubelet'] as const;

/** The reason that the taint-eviction controller gives there. */
export const evictionReason = 'DeletionByTaintManager';

/** @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go addConditionAndDeletePod */
export const deviceEvictionReason = 'DeletionByDeviceTaintManager';

export type Disrupter = (typeof disrupters)[number];

/** What the controllers and the forecast need of a core/v1 Pod. */
export type Pod = {
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	/** Empty while the pod is not bound to a node. */
	readonly nodeName: string;
	readonly createdAt: Instant;
	readonly labels: Readonly<Record<string, string>>;
	readonly tolerations: readonly Toleration[];
	readonly phase: string;
	/** Status of the Ready condition; absent where the pod has none. */
	readonly ready?: ConditionStatus;
	/** When the pod stopped being ready, in whole seconds; absent while it is ready. */
	readonly readyChangedAt?: Instant;
	/** Since when the pod is ready, in whole seconds; absent while it is not. */
	readonly readySince?: Instant;
	/**
	 * When the node controller found the pod's node not ready, as it says by marking the pod: unlike a kubelet, it gives
	 * no reason. In whole seconds; absent once the pod is ready, or not ready by its kubelet's word.
	 */
	readonly markedNotReadyAt?: Instant;
	/** When the pod was bound to its node (PodScheduled's transition), where that is known. */
	readonly scheduledAt?: Instant;
	/** Present once a deletion was asked for; it lies in the future by the grace period. */
	readonly deletionTimestamp?: Instant;
	readonly deletionGracePeriodSeconds?: number;
	readonly owner?: PodOwner;
	readonly priority?: number;
	/** The claims of devices that it names and that were made; absent where there are none. */
	readonly claims?: readonly PodClaim[];
	/** Whether the DisruptionTarget condition is True: its deletion was announced by a controller. */
	readonly isDisruptionTarget?: boolean;
	/** When the taint-eviction controller announced its deletion in that condition, in whole seconds. */
	readonly evictedAt?: Instant;
	/** When the device taint eviction controller announced its deletion there, in whole seconds. */
	readonly deviceEvictedAt?: Instant;
	/** Who else announced its end in that condition; absent where nobody else did. */
	readonly disruptedBy?: Disrupter;
	/** Whether its kubelet ended it since its node was shutting down. */
	readonly isShutDown?: true;
	/** Whether its status says NodeLost: the pass that evicts nodes without taints (until 1.26) came to it. */
	readonly isNodeLost?: boolean;
	/** A mirror of a static pod: the kubelet owns it, the API server only shows it. */
	readonly isMirror: boolean;
};

/** When a controller of taints, of nodes or of devices, announced a pod's deletion; undefined where none did. */
export const announcedAt = ({evictedAt, deviceEvictedAt}: Pick<Pod, 'evictedAt' | 'deviceEvictedAt'>) =>
	evictedAt ?? deviceEvictedAt;

/** The key under which controllers know a pod. Two pods of one name share it, whatever their UIDs. */
export function podKey(pod: {readonly namespace: string; readonly name: string}): string {
	return `${pod.namespace}/${pod.name}`;
}

/** The namespace and the name in such a key. */
export function namesInKey(key: string): {readonly namespace: string; readonly name: string} {
	const [namespace = '', name = ''] = key.split('/');
	return {namespace, name};
}

/**
 * Whether none of a pod's containers runs, or will run, again.
 *
 * @upstream kubernetes v1.36.3 pkg/api/v1/pod/util.go IsPodPhaseTerminal
 */
export const isPodTerminal = ({phase}: {readonly phase: string | undefined}): boolean =>
	phase === 'Succeeded' || phase === 'Failed';

/** Whether its kubelet evicted a pod, as its node ran short. */
export const isEvictedByKubelet = ({phase, disruptedBy, isShutDown}: Pod): boolean =>
	isPodTerminal({phase}) && disruptedBy === 'TerminationByKubelet' && !isShutDown;
