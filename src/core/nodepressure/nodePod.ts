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

export type PodVolume = {
	readonly name: string;
	/** The volume's type, as far as it matters to the kubelet's disk. */
	readonly kind: 'emptyDir' | 'hostPath' | 'configMap' | 'gitRepo' | 'other';
	/** Of an emptyDir: empty for the node's disk. */
	readonly medium?: string;
	/** Of an emptyDir. */
	readonly sizeLimit?: Quantity;
};

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** The fields that an eviction manager needs of a pod on its node, with the allocated resources. */
export type NodePod = {
	readonly namespace: string;
	readonly name: string;
	/** The kubelet's UID of the pod; for a static pod the hash of its manifest. */
	readonly uid: string;
	/** The source from which the kubelet has the pod: the annotation kubernetes.io/config.source. */
	readonly configSource?: string;
	/** Whether it is the mirror of a static pod. */
	readonly isMirror: boolean;
	readonly priority?: number;
	readonly containers: readonly PodContainer[];
	readonly initContainers: readonly InitContainer[];
	/** Whether its kubelet enforces each sidecar's own local storage limit (v1.37). */
	readonly hasSidecarLimits?: true;
	/** Pod-level resources (spec.resources); absent if there are none. */
	readonly resources?: ContainerResources;
	readonly overhead: ResourceList;
	readonly volumes: readonly PodVolume[];
	readonly terminationGracePeriodSeconds?: number;
	/** The latest end of the pod; present once its deletion was requested. */
	readonly deletionTimestamp?: Instant;
	readonly tolerations: readonly Toleration[];
	/** From the pod's status; computed if it is missing there. */
	readonly qosClass?: QosClass;
};
