import type {TextMap} from '../../text/textMap.ts';
import type {Instant} from '../time/instant.ts';
import type {PodClaim} from './device.ts';
import type {ConditionStatus} from './node.ts';
import type {ObjectName} from './objectName.ts';
import type {Toleration} from './toleration.ts';

/** The owner that controls a pod (ownerReferences with controller: true). */
export type PodOwner = {readonly kind: string; readonly name: string; readonly uid: string};

/** Reasons of a DisruptionTarget condition that come from a component whose deletions are not predicted. */
export const disrupters = ['PreemptionByScheduler', 'EvictionByEvictionAPI', 'TerminationByKubelet'] as const;

/** The taint-eviction controller's reason in that condition. */
export const evictionReason = 'DeletionByTaintManager';

/** @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go addConditionAndDeletePod */
export const deviceEvictionReason = 'DeletionByDeviceTaintManager';

/** @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go gcOrphaned */
export const collectionReason = 'DeletionByPodGC';

/**
 * A kubelet's reason in the status of a pod that it evicted, or refused. Before v1.26, and for a limit of local storage, it sets
 * no condition.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go evictPod
 */
export const kubeletEvictionReason = 'Evicted';

/**
 * Whether a message of that reason, in a status or an event, is of a pod that never ran: its kubelet was under pressure, and
 * refused it.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go Admit
 */
export const isRefusal = (message: string) =>
	/^(Pod (was rejected: )?)?The node had condition: /.test(message);

export type Disrupter = (typeof disrupters)[number];

/** The fields of a core/v1 Pod that the controllers and the forecast need. */
export type Pod = ObjectName &
	Readonly<{
		uid: string;
		/** Empty while the pod is not bound to a node. */
		nodeName: string;
		createdAt: Instant;
		labels: TextMap;
		tolerations: readonly Toleration[];
		phase: string;
		/** Status of the Ready condition; absent if the pod has none. */
		ready?: ConditionStatus;
		/** When the pod stopped being ready, in whole seconds; absent while it is ready. */
		readyChangedAt?: Instant;
		/** Since when the pod is ready, in whole seconds; absent while it is not. */
		readySince?: Instant;
		/**
		 * When the node lifecycle controller marked the pod not ready because of its node; unlike a kubelet, it sets no
		 * reason. In whole seconds; absent once the pod is ready, or its kubelet reports it not ready.
		 */
		markedNotReadyAt?: Instant;
		/** When the pod was bound to its node (transition of PodScheduled), if known. */
		scheduledAt?: Instant;
		/** Present once a deletion was requested; it is the end of the grace period. */
		deletionTimestamp?: Instant;
		deletionGracePeriodSeconds?: number;
		/** What the spec grants it to end (terminationGracePeriodSeconds); absent if that is the default of 30. */
		gracePeriodSeconds?: number;
		/** What keeps its object after it has ended; absent if there are none. */
		finalizers?: readonly string[];
		/** Which index of its Job it runs, and how often the index failed before; absent if the Job is not indexed. */
		completionIndex?: number;
		indexFailures?: number;
		owner?: PodOwner;
		priority?: number;
		/** The device claims that it refers to and that exist; absent if there are none. */
		claims?: readonly PodClaim[];
		/** Whether it has a volume of kind emptyDir, whose data goes with it. */
		hasEmptyDir?: true;
		/** Whether the DisruptionTarget condition is True: a controller announced the deletion. */
		isDisruptionTarget?: boolean;
		/** When the taint-eviction controller announced its deletion in that condition, in whole seconds. */
		evictedAt?: Instant;
		/** When the device taint eviction controller announced its deletion there, in whole seconds. */
		deviceEvictedAt?: Instant;
		/** Whether pod garbage collection announced its deletion there, as its node is gone. */
		isCollected?: true;
		/** Which other component announced the pod's end in that condition, or a kubelet by the reason; absent if none did. */
		disruptedBy?: Disrupter;
		/** When it did so in that condition, in whole seconds. */
		disruptedAt?: Instant;
		/** Whether its kubelet ended it because its node was shutting down. */
		isShutDown?: true;
		/** Whether its status has the reason NodeLost: the pass that evicts nodes without taints (until 1.26) processed it. */
		isNodeLost?: boolean;
		/** A mirror of a static pod: the kubelet owns it, and the API server only shows it. */
		isMirror: boolean;
	}>;

/** When the taint-eviction or the device taint eviction controller announced a pod's deletion; undefined if neither did. */
export const announcedAt = ({evictedAt, deviceEvictedAt}: Pod) => evictedAt ?? deviceEvictedAt;

/** The key that controllers use for a pod. Two pods of one name share it, whatever their UIDs. */
export function podKey(pod: ObjectName): string {
	return `${pod.namespace}/${pod.name}`;
}

/** The namespace and the name in a pod's key. */
export function namesInKey(key: string): ObjectName {
	const [namespace = '', name = ''] = key.split('/');
	return {namespace, name};
}

/**
 * Whether a pod has ended: none of its containers will run again.
 *
 * @upstream kubernetes v1.36.3 pkg/api/v1/pod/util.go IsPodPhaseTerminal
 */
export const isPodTerminal = ({phase}: {readonly phase?: string | undefined}) =>
	phase === 'Succeeded' || phase === 'Failed';

/** Whether the kubelet evicted a pod because its node ran short of a resource. */
export const isEvictedByKubelet = ({phase, disruptedBy, isShutDown}: Pod) =>
	isPodTerminal({phase}) && disruptedBy === 'TerminationByKubelet' && !isShutDown;
