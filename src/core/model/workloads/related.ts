import type {TextMap} from '../../../text/textMap.ts';
import type {ObjectName} from '../objectName.ts';
import type {PodOwner} from '../pod.ts';
import type {Problem} from '../problem.ts';
import type {Toleration} from '../toleration.ts';
import type {JobRules} from './jobRules.ts';
import type {Occupancy} from './occupancy.ts';
import type {Resources} from './resources.ts';

/** One condition on labels, in a selector or in node affinity. */
export type Requirement = Readonly<{
	key: string;
	/** In, NotIn, Exists, DoesNotExist; for nodes also Gt and Lt. */
	operator: string;
	values: readonly string[];
	/** Whether it is about a field of a node, not a label: `metadata.name`. */
	isField?: true;
}>;

/** Selects nodes: one of the terms must match, with all of its conditions. */
export type NodeTerms = readonly (readonly Requirement[])[];

/** Selects labels: all conditions of both lists must match. */
export type LabelSelector = {
	readonly matchLabels: TextMap;
	readonly matchExpressions: readonly Requirement[];
};

/** What decides where the pods of a workload can run. */
export type PodTemplate = Readonly<{
	tolerations: readonly Toleration[];
	nodeSelector: TextMap;
	/** Required node affinity. Undefined if there is none. */
	nodeTerms?: NodeTerms | undefined;
	/** The one node that its pods are bound to, past the scheduler; absent if the scheduler chooses. */
	nodeName?: string | undefined;
	requests: Resources;
	/** Persistent volume claims that the pods share; pods of a StatefulSet have their own. */
	claims: readonly string[];
	/** Other rules that affect scheduling and are not evaluated, as text: pod affinity, volumes, another scheduler. */
	otherRules: readonly string[];
}>;

/** An object that owns pods, or that owns such an owner. */
export type Controller = ObjectName &
	Readonly<{
		kind: string;
		uid: string;
		/** Its own owner; absent if it has none. */
		owner?: PodOwner | undefined;
		/** The desired number of pods; for a Job, those that it wants at a time. */
		desired: number;
		ready: number;
		/** The replicas that its status counts, ready or not; absent for kinds that do not count them. */
		replicas?: number | undefined;
		template: PodTemplate;
		/** Templates of the claims that each pod has of its own: a claim's name is `<template>-<pod>`. */
		claimTemplates: readonly string[];
		/** Of a StatefulSet: its lowest ordinal, and whether no ordinal waits for another. */
		ordinals?: {readonly start: number; readonly isParallel: boolean} | undefined;
		/** Of a DaemonSet: whether it may start a pod on a node before the old one there is gone. */
		maySurge?: boolean | undefined;
		job?: JobRules | undefined;
		/** Whether it is being deleted: it makes no pods then. */
		isDeleted?: boolean | undefined;
	}>;

/** A PodDisruptionBudget, with the disruption controller's last counts. */
export type Budget = ObjectName &
	Readonly<{
		selector: LabelSelector;
		currentHealthy: number;
		desiredHealthy: number;
		/** How many pods it covers, also those that are not ready; 0 if not known. */
		expectedPods: number;
		/** How many evictions the Eviction API allows now; absent if its controller has not counted since its last change. */
		disruptionsAllowed?: number | undefined;
		/** Whether pods that are not ready may be evicted always (unhealthyPodEvictionPolicy AlwaysAllow). */
		allowsUnready?: boolean | undefined;
		/** Whether it limits how many may be missing (maxUnavailable), and not how many must be there. */
		isOfMissing?: boolean | undefined;
		/**
		 * Whether it expects each pod that it selects, also those that are being deleted or have ended: its minAvailable is a number.
		 *
		 * @upstream kubernetes v1.36.3 pkg/controller/disruption/disruption.go getExpectedPodCount
		 */
		countsPods?: boolean | undefined;
	}>;

/** A Service with a selector; its endpoints are the ready pods that it selects. */
export type Service = ObjectName & {
	readonly selector: TextMap;
	/** Whether pods that are not ready are endpoints as well. */
	readonly publishesNotReady: boolean;
};

export type Attachment = {readonly node: string; readonly volume: string};

/** A bound PersistentVolumeClaim. */
export type Claim = ObjectName & {
	readonly volume: string;
	/** Whether several nodes may attach the volume at a time. */
	readonly isShared: boolean;
};

/** A PersistentVolume, as far as it decides where its pods may run. */
export type Volume = {
	readonly name: string;
	/** The nodes that can reach it; absent if all can. */
	readonly nodeTerms?: NodeTerms | undefined;
	/** Whether no other rule of the volume affects scheduling: no attach limit per node, no zone, no exclusive pod. */
	readonly isPlain: boolean;
};

/** A pod behind a service, from an EndpointSlice. */
export type Endpoint = Readonly<{
	namespace: string;
	service: string;
	pod: string;
	isReady: boolean;
}>;

/** The environment of the pods of a forecast, as far as it could be read. */
export type Related = Readonly<{
	/** By uid. */
	controllers: ReadonlyMap<string, Controller>;
	budgets: readonly Budget[];
	services: readonly Service[];
	attachments: readonly Attachment[];
	claims: readonly Claim[];
	volumes: readonly Volume[];
	endpoints: readonly Endpoint[];
	/** What runs on the nodes; a text with the reason if it is not known. */
	occupancy: Occupancy | string;
	/** What could not be read, and what the answers lack because of it. */
	problems: readonly Problem[];
}>;

/** In a large cluster, the nodes to read: those where new pods may run, and those whose pods will be recreated. */
export type NodesOfMany = {
	/** The likeliest to have room come first. */
	readonly candidates: readonly string[];
	readonly troubled: readonly string[];
};

/** What to read: in which namespaces, and which kinds own the pods. */
export type RelatedQuery = Readonly<{
	namespaces: ReadonlySet<string>;
	ownerKinds: ReadonlySet<string>;
	/** The size of the cluster: in a large one, only the pods of some nodes are read. */
	nodeCount: number;
	/** Chooses those nodes; if absent, no node's pods are read in a large cluster. */
	nodesOfMany?: (controllers: Related['controllers']) => NodesOfMany;
	/** Reads only the owners, which show how many of their pods are ready. */
	isOfOwners?: true;
}>;

/** What answers lack if the objects of a kind are not known, by kind. */
export const missingWithout: TextMap = {
	PodDisruptionBudget: 'whether a budget would have forbidden an eviction',
	Service: 'which services lose endpoints',
	PersistentVolumeClaim: 'which volumes hold a new pod back',
	EndpointSlice: 'how many endpoints a service has left',
	PersistentVolume: 'from which nodes volumes can be reached',
	VolumeAttachment: 'which volumes are attached to dead nodes',
	Controller: 'how many replicas are ready, and where new ones may run',
	Node: 'what runs on the nodes',
	Problem: 'what could not be read',
};

/** The value if nothing was read. */
export const nothingRelated: Related = {
	controllers: new Map(),
	budgets: [],
	services: [],
	attachments: [],
	claims: [],
	volumes: [],
	endpoints: [],
	occupancy: 'what runs on them is not read',
	problems: [],
};
