import type {PodOwner} from '../pod.ts';
import type {Problem} from '../problem.ts';
import type {Toleration} from '../toleration.ts';
import type {Occupancy} from './occupancy.ts';
import type {Resources} from './resources.ts';

/** One condition on labels, of a selector or of node affinity. */
export type Requirement = {
	readonly key: string;
	/** In, NotIn, Exists, DoesNotExist; for nodes also Gt and Lt. */
	readonly operator: string;
	readonly values: readonly string[];
	/** Whether it is about a field of a node rather than a label: `metadata.name`. */
	readonly isField?: true;
};

/** Nodes that are meant: one of these, each of which asks for all of its conditions. */
export type NodeTerms = readonly (readonly Requirement[])[];

/** Which labels are meant: all of both lists. */
export type LabelSelector = {
	readonly matchLabels: Readonly<Record<string, string>>;
	readonly matchExpressions: readonly Requirement[];
};

/** What decides where the pods of a workload can run. */
export type PodTemplate = {
	readonly tolerations: readonly Toleration[];
	readonly nodeSelector: Readonly<Record<string, string>>;
	/** Required node affinity. Undefined where it asks nothing. */
	readonly nodeTerms?: NodeTerms | undefined;
	readonly requests: Resources;
	/** Names of persistent volume claims that its pods share; those of a StatefulSet have their own. */
	readonly claims: readonly string[];
	/** What else has a say, and is not looked at, in words: pod affinity, volumes, another scheduler. */
	readonly otherRules: readonly string[];
};

/** Something that owns pods, or what owns pods. */
export type Controller = {
	readonly kind: string;
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
	/** What owns it in turn; absent where nothing does. */
	readonly owner?: PodOwner | undefined;
	/** How many pods there should be; of a Job, how many at a time. */
	readonly desired: number;
	readonly ready: number;
	readonly template: PodTemplate;
	/** Names of the claims that each of its pods has of its own: the pod's name is added to them. */
	readonly claimTemplates: readonly string[];
	/** Of a Job: how many failures it bears, and has had; and whether it replaces only pods that have ended. */
	readonly backoff?:
		| {readonly limit: number; readonly failed: number; readonly waitsForEnd: boolean}
		| undefined;
};

/** A PodDisruptionBudget, as the disruption controller last counted it. */
export type Budget = {
	readonly namespace: string;
	readonly name: string;
	readonly selector: LabelSelector;
	readonly currentHealthy: number;
	readonly desiredHealthy: number;
};

/** A Service with a selector; its endpoints are the ready pods that it selects. */
export type Service = {
	readonly namespace: string;
	readonly name: string;
	readonly selector: Readonly<Record<string, string>>;
	/** Whether pods that are not ready are endpoints, too. */
	readonly publishesNotReady: boolean;
};

/** A volume that is attached to a node. */
export type Attachment = {readonly node: string; readonly volume: string};

/** A PersistentVolumeClaim that is bound. */
export type Claim = {
	readonly namespace: string;
	readonly name: string;
	readonly volume: string;
	/** Whether several nodes may have the volume at a time. */
	readonly isShared: boolean;
};

/** A PersistentVolume, as far as it decides where its pods may run. */
export type Volume = {
	readonly name: string;
	/** From where it can be reached; absent where from everywhere. */
	readonly nodeTerms?: NodeTerms | undefined;
	/** Whether nothing else of it has a say: no limit of how many a node may have, no zone, no pod that has it alone. */
	readonly isPlain: boolean;
};

/** A pod behind a service, as an EndpointSlice has it. */
export type Endpoint = {
	readonly namespace: string;
	readonly service: string;
	readonly pod: string;
	readonly isReady: boolean;
};

/** What belongs to the pods of a forecast, as far as it could be read. */
export type Related = {
	/** By uid. */
	readonly controllers: ReadonlyMap<string, Controller>;
	readonly budgets: readonly Budget[];
	readonly services: readonly Service[];
	readonly attachments: readonly Attachment[];
	readonly claims: readonly Claim[];
	readonly volumes: readonly Volume[];
	readonly endpoints: readonly Endpoint[];
	/** What runs on the nodes; in words why that is not known, where it is not. */
	readonly occupancy: Occupancy | string;
	/** What could not be read, and what is not said for it. */
	readonly problems: readonly Problem[];
};

/** Of many nodes, those to read: where new pods may run, and where the pods run that will be made anew. */
export type NodesOfMany = {
	/** Those that are likeliest to have room first. */
	readonly candidates: readonly string[];
	readonly troubled: readonly string[];
};

/** What to read: of which namespaces, and which kinds own the pods. */
export type RelatedQuery = {
	readonly namespaces: ReadonlySet<string>;
	readonly ownerKinds: ReadonlySet<string>;
	/** How many nodes there are: of many, it is read of some only what runs on them. */
	readonly nodeCount: number;
	/** Which those are, by what owns the pods; where absent, it is read of none. */
	readonly nodesOfMany?: (controllers: Related['controllers']) => NodesOfMany;
	/** Reads the owners alone: they tell how many pods of each are ready. */
	readonly isOfOwners?: true;
};

/** By kind, what is not said where the objects of the kind are not known. */
export const unsaidWithout: Readonly<Record<string, string>> = {
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

/** Where nothing of it was read. */
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
