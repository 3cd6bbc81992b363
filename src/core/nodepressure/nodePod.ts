import type {Toleration} from '../model/toleration.ts';
import type {Instant} from '../time/instant.ts';
import type {Quantity} from './quantities/quantity.ts';

/** Amounts by the resource's name: `memory`, `ephemeral-storage`. */
export type ResourceList = Readonly<Record<string, Quantity>>;

export type ContainerResources = {readonly requests: ResourceList; readonly limits: ResourceList};

export type PodContainer = ContainerResources & {readonly name: string};

export type InitContainer = PodContainer & {
	/** Whether it runs beside the others (restartPolicy Always). */
	readonly isSidecar: boolean;
};

export type PodVolume = {
	readonly name: string;
	/** Where it is kept, as far as that matters to a kubelet's disk. */
	readonly kind: 'emptyDir' | 'hostPath' | 'configMap' | 'gitRepo' | 'other';
	/** Of an emptyDir: empty for the node's disk. */
	readonly medium?: string;
	/** Of an emptyDir. */
	readonly sizeLimit?: Quantity;
};

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** What an eviction manager needs of a pod on its node, with the resources that are allocated to it. */
export type NodePod = {
	readonly namespace: string;
	readonly name: string;
	/** As the kubelet knows it: of a static pod the hash of its manifest. */
	readonly uid: string;
	/** Where the kubelet has the pod from: the annotation kubernetes.io/config.source. */
	readonly configSource?: string;
	/** Whether it is the mirror of a static pod. */
	readonly isMirror: boolean;
	readonly priority?: number;
	readonly containers: readonly PodContainer[];
	readonly initContainers: readonly InitContainer[];
	/** Whether its kubelet holds each sidecar against the sidecar's own limit of local storage: from v1.37 on. */
	readonly hasSidecarLimits?: true;
	/** The pod's own resources (spec.resources); absent where it has none. */
	readonly resources?: ContainerResources;
	readonly overhead: ResourceList;
	readonly volumes: readonly PodVolume[];
	readonly terminationGracePeriodSeconds?: number;
	/** When it has ended at the latest, where its deletion was asked for. */
	readonly deletionTimestamp?: Instant;
	readonly tolerations: readonly Toleration[];
	/** As the pod's status has it; it is reckoned where that has none. */
	readonly qosClass?: QosClass;
};
