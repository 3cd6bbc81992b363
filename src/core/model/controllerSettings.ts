import type {Duration} from '../time/instant.ts';
/** What decides the controllers' behaviour: kube-controller-manager's flags, and what its version brings. */
export type ControllerSettings = {
	readonly nodeMonitorPeriod: Duration;
	readonly nodeStartupGracePeriod: Duration;
	readonly nodeMonitorGracePeriod: Duration;
	/** Nodes per second. */
	readonly nodeEvictionRate: number;
	/** Nodes per second, in a large zone that is partially disrupted. */
	readonly secondaryNodeEvictionRate: number;
	readonly largeClusterSizeThreshold: number;
	readonly unhealthyZoneThreshold: number;
	/** Calls per second of each controller's own client; zero where nothing limits it. */
	readonly kubeApiQps: number;
	readonly kubeApiBurst: number;
	/** Whether a node is queued for its NoExecute taint in the pass that sets it Unknown (1.34), or one pass later. */
	readonly queuesInPassOfTransition: boolean;
	/** When the periodic passes begin after a start: at once (1.36), or after their first poll. */
	readonly firstPassAfter: Duration;
	/** The feature gate TaintTolerationComparisonOperators: tolerations with Lt and Gt. */
	readonly comparisonOperators: boolean;
	/** Whether the device taint eviction controller runs (DRADeviceTaints, since 1.36). */
	readonly deviceTaints: boolean;
	/** Whether the taint-eviction controller runs; `--controllers=-taint-eviction-controller` switches it off. */
	readonly taintEviction: boolean;
	/** Whether the node lifecycle controller runs; without it no node turns Unknown, and none is tainted. */
	readonly nodeLifecycle: boolean;
	/**
	 * Whether managedFields tell when a value was last written (1.25), or only since when its writer has owned the field:
	 * a lease that is renewed for days then seems to have been written once.
	 */
	readonly datesEachWrite: boolean;
	/** Whether controller managers elect a leader; where they do not, the leader lease tells nothing of them. */
	readonly leaderElection: boolean;
	/** In which object the leader shows itself: 'endpoints' in an annotation, 'leases', or 'endpointsleases' in both. */
	readonly leaderElectResourceLock: string;
	/**
	 * Whether silent nodes get a NoExecute taint. Where not (until 1.26), the node lifecycle controller deletes their pods
	 * itself, node by node at the zone's rate, once `podEvictionTimeout` is over.
	 */
	readonly taintBasedEvictions: boolean;
	/** How long a node is silent, or says itself that it is not ready, until its pods are deleted without taints. */
	readonly podEvictionTimeout: Duration;
	/** Whether conditions and cordons become NoSchedule taints. */
	readonly taintNodesByCondition: boolean;
	/** Whether the controller looks at leases at all. */
	readonly nodeLease: boolean;
	/** Whether a silent node's lease is read from the API server in every pass, before anything follows of it (1.37). */
	readonly confirmsSilence: boolean;
	/** Whether the stable zone labels count where the beta ones are missing (1.17). */
	readonly stableZoneLabels: boolean;
	/** Whether the label node.kubernetes.io/exclude-disruption leaves a node out of its zone's count (1.19). */
	readonly nodeDisruptionExclusion: boolean;
	/** Whether the name of a node leaves it out of its zone's count (until 1.20). */
	readonly legacyNodeRoleBehavior: boolean;
	/** Whether each pass queues the nodes that wait for their taint anew, in an order that chance decides (1.18). */
	readonly requeuesWaitingNodes: boolean;
	/** How many nodes a monitor pass looks at side by side. */
	readonly monitorWorkers: number;
	/** Whether a monitor pass waits for the NoExecute pass. */
	readonly noExecutePassHoldsLock: boolean;
	/** Whether an event tells of each pod that is marked not ready (1.19). */
	readonly reportsPodsNotReady: boolean;
	/** Whether the stable os and arch labels are copied to the beta ones (1.19), or the other way round. */
	readonly stableLabelsLead: boolean;
	/** Whether taint eviction is a controller of its own (1.29). */
	readonly separateTaintEvictionController: boolean;
	/** Whether the key of a finished eviction stays until its pod is seen to be gone (until 1.32). */
	readonly keepsFinishedWork: boolean;
	/** Whether a pod's status says why before it is deleted (1.26). */
	readonly podDisruptionConditions: boolean;
	/** Whether the pod garbage collector removes Terminating pods of nodes that are out of service (1.26). */
	readonly nodeOutOfServiceVolumeDetach: boolean;
	/** Whether the pod garbage collector waits before it takes a missing node for gone (1.17). */
	readonly quarantinesMissingNodes: boolean;
};
