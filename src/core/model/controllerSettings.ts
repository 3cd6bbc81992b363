import type {Duration} from '../time/instant.ts';
/** Everything that decides the controllers' behaviour: kube-controller-manager's flags and the rules of its version. */
export type ControllerSettings = Readonly<{
	nodeMonitorPeriod: Duration;
	nodeStartupGracePeriod: Duration;
	nodeMonitorGracePeriod: Duration;
	/** Nodes per second. */
	nodeEvictionRate: number;
	/** Nodes per second, in a large zone in the state PartialDisruption. */
	secondaryNodeEvictionRate: number;
	largeClusterSizeThreshold: number;
	unhealthyZoneThreshold: number;
	/** Calls per second of each controller's own client; zero if nothing limits it. */
	kubeApiQps: number;
	kubeApiBurst: number;
	/** Whether a node is queued for its NoExecute taint in the pass that sets it Unknown (1.34), or one pass later. */
	queuesInPassOfTransition: boolean;
	/** How long after a start the periodic passes begin: at once (1.36), or after their first poll. */
	firstPassAfter: Duration;
	/** Feature gate TaintTolerationComparisonOperators: the operators Lt and Gt in tolerations. */
	comparisonOperators: boolean;
	/** Whether the device taint eviction controller runs (DRADeviceTaints, since 1.36). */
	deviceTaints: boolean;
	/** Whether pods go for the devices of their extended resources as well (1.38). */
	extendedResourcesEvicted: boolean;
	/** Whether a toleration of a device's taint counts for evictions without an effect, too (1.38). */
	emptyEffectTolerates: boolean;
	/** Whether the taint-eviction controller runs; `--controllers=-taint-eviction-controller` switches it off. */
	taintEviction: boolean;
	/** Whether the node lifecycle controller runs; without it no node becomes Unknown or is tainted. */
	nodeLifecycle: boolean;
	/**
	 * Whether managedFields date the last write of a value (1.25), or only when its manager first owned the field: a
	 * lease renewed for days then looks as if it was written once.
	 */
	datesEachWrite: boolean;
	/** Whether controller managers elect a leader; if not, the leader lease proves nothing. */
	leaderElection: boolean;
	/** The object that holds the leader record: 'endpoints' in an annotation, 'leases', or 'endpointsleases' in both. */
	leaderElectResourceLock: string;
	/**
	 * Whether silent nodes get a NoExecute taint. If not (until 1.26), the node lifecycle controller itself deletes
	 * their pods, node by node at the zone's rate, once `podEvictionTimeout` is over.
	 */
	taintBasedEvictions: boolean;
	/** How long a node must be silent, or report itself not ready, before its pods are deleted without taints. */
	podEvictionTimeout: Duration;
	/** Whether conditions and cordons become NoSchedule taints. */
	taintNodesByCondition: boolean;
	/** Whether the controller reads leases at all. */
	nodeLease: boolean;
	/** Whether every pass reads a silent node's lease from the API server before it acts on the silence (1.37). */
	confirmsSilence: boolean;
	/** Whether the stable zone labels are used if the beta ones are missing (1.17). */
	stableZoneLabels: boolean;
	/** Whether the label node.kubernetes.io/exclude-disruption excludes a node from its zone's count (1.19). */
	nodeDisruptionExclusion: boolean;
	/** Whether the name of a node can exclude it from its zone's count (until 1.20). */
	legacyNodeRoleBehavior: boolean;
	/** Whether each pass queues the nodes that wait for their taint again, in random order (1.18). */
	requeuesWaitingNodes: boolean;
	/** How many nodes a monitor pass processes in parallel. */
	monitorWorkers: number;
	/** Whether a monitor pass waits for the NoExecute pass. */
	noExecutePassHoldsLock: boolean;
	/** Whether an event is posted for each pod that is marked not ready (1.19). */
	reportsPodsNotReady: boolean;
	/** Whether the stable os and arch labels are copied to the beta ones (1.19), or the other way round. */
	stableLabelsLead: boolean;
	/** Whether taint eviction is a separate controller (1.29). */
	separateTaintEvictionController: boolean;
	/** Whether the key of a finished eviction is kept until its pod is gone from the cache (until 1.32). */
	keepsFinishedWork: boolean;
	/** Whether a pod's status gets the reason before it is deleted (1.26). */
	podDisruptionConditions: boolean;
	/** Whether the pod garbage collector removes Terminating pods of nodes that are out of service (1.26). */
	nodeOutOfServiceVolumeDetach: boolean;
	/** Whether a pod that is Pending or deleted already is evicted without its budget (1.19). */
	budgetsSparePending: boolean;
	/** Whether a pod that is not ready is evicted without its budget, if that has enough healthy ones (1.20). */
	budgetsSpareUnready: boolean;
	/** Whether budgets have an unhealthyPodEvictionPolicy (1.27). */
	unhealthyPodEvictionPolicy: boolean;
	/** Whether a Job's podFailurePolicy counts (1.26). */
	jobFailurePolicy: boolean;
	/** Whether a Job with a podFailurePolicy replaces a pod only once it has ended (1.28). */
	jobPolicyWaitsForEnd: boolean;
	/** Whether a Job counts a pod that is being deleted as failed (1.25). */
	jobTracksPods: boolean;
	/** Whether a Job's podReplacementPolicy counts (1.29). */
	jobPodReplacementPolicy: boolean;
	/** Whether a Job's backoffLimitPerIndex counts (1.29). */
	jobBackoffLimitPerIndex: boolean;
	/** Whether the pod garbage collector waits before it treats a missing node as deleted (1.17). */
	quarantinesMissingNodes: boolean;
}>;

/** What the command line says of the controllers. */
export type AskedSettings = {
	readonly flags: Partial<ControllerSettings>;
	/** Flags whose meaning depends on the version, as kube-controller-manager parses them; absent if there are none. */
	readonly givenFlags?: ReadonlyMap<string, string>;
	/** The value of `--kubernetes-version`. */
	readonly versionFlag: string | undefined;
};
