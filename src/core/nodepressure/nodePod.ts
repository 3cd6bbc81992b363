import type {Toleration} from '../model/toleration.ts';
import type {Instant} from '../time/instant.ts';
import type {Quantity} from './quantities/quantity.ts';

/** Amounts by resource name: `memory`, `ephemeral-storage`. */
export type ResourceList = Readonly<Record<string, Quantity>>;

export type ContainerResources = {readonly requests: ResourceList; readonly limits: ResourceList};

export type PodContainer = ContainerResources & {readonly name: string};

export type InitContainer = PodContainer & {
	/** Whether it keeps running beside the main containers (restartPolicy Always). */
	readonly isSidecar: boolean;
};

export type PodVolume = Readonly<{
	name: string;
	/** The volume's type, as far as it matters to the kubelet's disk. */
	kind: 'emptyDir' | 'hostPath' | 'configMap' | 'gitRepo' | 'other';
	/** Of an emptyDir: empty for the node's disk. */
	medium?: string | undefined;
	/** Of an emptyDir. */
	sizeLimit?: Quantity | undefined;
}>;

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** The fields that an eviction manager needs of a pod on its node, with the allocated resources. */
export type NodePod = Readonly<{
	namespace: string;
	name: string;
	/** The kubelet's UID of the pod; for a static pod the hash of its manifest. */
	uid: string;
	/** The source from which the kubelet has the pod: the annotation kubernetes.io/config.source. */
	configSource?: string | undefined;
	/** Whether it is the mirror of a static pod. */
	isMirror: boolean;
	priority?: number | undefined;
	containers: readonly PodContainer[];
	initContainers: readonly InitContainer[];
	/** Whether its kubelet enforces each sidecar's own local storage limit (v1.37). */
	hasSidecarLimits?: true | undefined;
	/** Pod-level resources (spec.resources); absent if there are none. */
	resources?: ContainerResources | undefined;
	overhead: ResourceList;
	volumes: readonly PodVolume[];
	terminationGracePeriodSeconds?: number | undefined;
	/** The latest end of the pod; present once its deletion was requested. */
	deletionTimestamp?: Instant | undefined;
	tolerations: readonly Toleration[];
	/** From the pod's status; computed if it is missing there. */
	qosClass?: QosClass | undefined;
}>;
