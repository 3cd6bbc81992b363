import {minute, second} from '../time/instant.ts';
import type {ControllerSettings} from './controllerSettings.ts';

/** A value that holds from one release on. */
export type Since<Value> = {
	/** The minor number of the first release that has it, with major 1; the oldest known release for anything older. */
	readonly since: number;
	readonly value: Value;
	/** The evidence: a change, a proposal, or a file of the release's sources. */
	readonly source: string;
};

/** One setting in which releases differ. */
export type Difference<Key extends keyof ControllerSettings = keyof ControllerSettings> = Readonly<{
	key: Key;
	/** How it can be set: by a flag of kube-controller-manager, by a feature gate, or not at all. */
	kind: 'flag' | 'gate' | 'rule';
	/** Its name on the command line; rules have a name of this project. */
	name: string;
	meaning: string;
	/** Oldest first. */
	history: readonly [Since<ControllerSettings[Key]>, ...Since<ControllerSettings[Key]>[]];
	/** The first release in which it can no longer be set: the gate is locked, or the flag is removed. */
	fixedSince?: number;
	/** The first release in which it can be set, if it is not the oldest known one. */
	settableSince?: number;
}>;

/** The oldest release whose rules are known. */
export const oldestKnownRelease = 16;

const since = <Value>(release: number, value: Value, source: string): Since<Value> => ({
	since: release,
	value,
	source,
});

const initially = <Value>(value: Value, source: string): Since<Value> =>
	since(oldestKnownRelease, value, source);

const table: {readonly [Key in keyof ControllerSettings]?: Omit<Difference<Key>, 'key'>} = {
	nodeMonitorGracePeriod: {
		kind: 'flag',
		name: 'node-monitor-grace-period',
		meaning: 'how long a running node may be silent before it is Unknown',
		history: [
			initially(40 * second, 'pkg/controller/nodelifecycle/config/v1alpha1/defaults.go'),
			since(32, 50 * second, 'kubernetes/kubernetes#126287'),
		],
	},
	podEvictionTimeout: {
		kind: 'flag',
		name: 'pod-eviction-timeout',
		meaning: 'how long a node is silent until its pods are deleted, where nodes are not tainted for it',
		history: [initially(5 * minute, 'pkg/controller/nodelifecycle/config/v1alpha1/defaults.go')],
		fixedSince: 27,
	},
	taintBasedEvictions: {
		kind: 'gate',
		name: 'TaintBasedEvictions',
		meaning:
			'silent nodes get a NoExecute taint; without it, or until v1.26 with --enable-taint-manager=false, their pods are deleted at a rate',
		history: [initially(true, 'v1.16 pkg/features/kube_features.go; gate locked in v1.18')],
		fixedSince: 18,
	},
	taintNodesByCondition: {
		kind: 'gate',
		name: 'TaintNodesByCondition',
		meaning: 'conditions and cordons become NoSchedule taints',
		history: [initially(true, 'v1.16 pkg/features/kube_features.go; gate locked in v1.17')],
		fixedSince: 17,
	},
	nodeLease: {
		kind: 'gate',
		name: 'NodeLease',
		meaning: 'a renewed lease is a sign of life; without it only the node status is',
		history: [initially(true, 'v1.16 pkg/features/kube_features.go; gate locked in v1.17')],
		fixedSince: 17,
	},
	stableZoneLabels: {
		kind: 'rule',
		name: 'stable-zone-labels',
		meaning: 'topology.kubernetes.io labels name a zone, where failure-domain.beta.kubernetes.io ones do not',
		history: [
			initially(false, 'v1.16 pkg/util/node/node.go GetZoneKey'),
			since(17, true, 'v1.17 pkg/util/node/node.go GetZoneKey'),
		],
	},
	nodeDisruptionExclusion: {
		kind: 'gate',
		name: 'NodeDisruptionExclusion',
		meaning: 'nodes labelled node.kubernetes.io/exclude-disruption do not count for their zones',
		history: [
			initially(false, 'v1.16 pkg/features/kube_features.go'),
			since(19, true, 'v1.19 pkg/features/kube_features.go; gate locked in v1.21'),
		],
		fixedSince: 21,
	},
	legacyNodeRoleBehavior: {
		kind: 'gate',
		name: 'LegacyNodeRoleBehavior',
		meaning: 'nodes whose names end in master or master-xxx do not count for their zones',
		history: [
			initially(true, 'v1.16 pkg/features/kube_features.go'),
			since(21, false, 'v1.21 pkg/features/kube_features.go, locked'),
		],
		fixedSince: 21,
	},
	requeuesWaitingNodes: {
		kind: 'rule',
		name: 'waiting-nodes-queued-anew',
		meaning:
			'each pass queues nodes without their taint anew; without it they are tainted in order, and once',
		history: [
			initially(false, 'v1.16 node_lifecycle_controller.go markNodeForTainting'),
			since(18, true, 'kubernetes/kubernetes#89059; last patch of v1.18'),
		],
	},
	monitorWorkers: {
		kind: 'rule',
		name: 'monitor-workers',
		meaning: 'how many nodes a monitor pass looks at side by side',
		history: [
			initially(1, 'v1.26 node_lifecycle_controller.go monitorNodeHealth'),
			since(27, 8, 'v1.27 node_lifecycle_controller.go monitorNodeHealth'),
		],
	},
	noExecutePassHoldsLock: {
		kind: 'rule',
		name: 'no-execute-pass-holds-lock',
		meaning: "a monitor pass waits while nodes of the zones' queues are tainted, or their pods deleted",
		history: [
			initially(true, 'v1.24 node_lifecycle_controller.go doEvictionPass'),
			since(25, false, 'v1.25 node_lifecycle_controller.go doEvictionPass'),
		],
	},
	datesEachWrite: {
		kind: 'rule',
		name: 'managed-fields-date-each-write',
		meaning:
			'managedFields tell when a value was last written; without it since when its writer owns the field',
		history: [
			// v1.16 and v1.17 date each write, but only of objects that were ever applied, so their dates are not used.
			initially(false, 'v1.19 to v1.24 fieldmanager/managedfieldsupdater.go Update'),
			since(25, true, 'kubernetes/kubernetes#110058'),
		],
	},
	queuesInPassOfTransition: {
		kind: 'rule',
		name: 'taint-queued-in-pass-of-unknown',
		meaning: 'a node is queued for its taint in the pass that sets it Unknown; without it one pass later',
		history: [
			initially(false, 'kubernetes/kubernetes#120815'),
			since(34, true, 'kubernetes/kubernetes#120816'),
		],
	},
	confirmsSilence: {
		kind: 'gate',
		name: 'NodeControllerLeaseCircuitBreaker',
		meaning:
			'each pass reads the lease of each silent node from the API server: one more call of the client for each',
		history: [
			initially(false, 'v1.36 node_lifecycle_controller.go tryUpdateNodeHealth'),
			since(37, true, 'kubernetes/kubernetes#138698'),
		],
		settableSince: 37,
	},
	firstPassAfter: {
		kind: 'rule',
		name: 'first-pass-after',
		meaning: 'when the passes begin after a start of the controllers',
		history: [
			initially(100, 'traces of the controllers of v1.16, v1.32 and v1.35'),
			// The first poll for synced caches comes too early, the next after 100 ms; until client-go v0.35 so does the recorder's own wait.
			since(36, 0, 'traces of the controllers of v1.35 and v1.36'),
		],
	},
	reportsPodsNotReady: {
		kind: 'rule',
		name: 'pods-not-ready-reported',
		meaning: 'a NodeNotReady event for each pod that is marked not ready: one more call of the client',
		history: [
			initially(false, 'v1.18 pkg/controller/util/node/controller_utils.go MarkPodsNotReady'),
			since(19, true, 'v1.19 pkg/controller/util/node/controller_utils.go MarkPodsNotReady'),
		],
	},
	stableLabelsLead: {
		kind: 'rule',
		name: 'stable-os-arch-labels-lead',
		meaning: 'kubernetes.io/os and arch are copied to the beta labels; without it the other way round',
		history: [
			initially(false, 'v1.18 node_lifecycle_controller.go labelReconcileInfo'),
			since(19, true, 'v1.19 node_lifecycle_controller.go labelReconcileInfo'),
		],
	},
	separateTaintEvictionController: {
		kind: 'gate',
		name: 'SeparateTaintEvictionController',
		meaning: 'taint eviction is a controller of its own, which --controllers can switch off',
		history: [
			initially(false, 'v1.28 pkg/features/kube_features.go'),
			since(29, true, 'KEP-3902; gate locked in v1.34'),
		],
		settableSince: 29,
		fixedSince: 34,
	},
	keepsFinishedWork: {
		kind: 'rule',
		name: 'finished-evictions-kept',
		meaning: 'the key of a finished eviction stays until its pod is seen to be gone (k/k#125332)',
		history: [
			initially(true, 'v1.32 pkg/controller/tainteviction/timed_workers.go'),
			since(33, false, 'kubernetes/kubernetes#129577'),
		],
	},
	podDisruptionConditions: {
		kind: 'gate',
		name: 'PodDisruptionConditions',
		meaning: 'a DisruptionTarget condition is written before a pod is deleted: two more calls of the client',
		history: [
			initially(false, 'v1.24 pkg/features/kube_features.go'),
			since(26, true, 'KEP-3329; alpha in v1.25, gate locked in v1.31'),
		],
		settableSince: 25,
		fixedSince: 31,
	},
	nodeOutOfServiceVolumeDetach: {
		kind: 'gate',
		name: 'NodeOutOfServiceVolumeDetach',
		meaning: 'the pod garbage collector removes Terminating pods of nodes that are out of service',
		history: [
			initially(false, 'v1.23 pkg/features/kube_features.go'),
			since(26, true, 'KEP-2268; alpha in v1.24, gate locked in v1.28'),
		],
		settableSince: 24,
		fixedSince: 28,
	},
	quarantinesMissingNodes: {
		kind: 'rule',
		name: 'missing-nodes-quarantined',
		meaning: 'the pod garbage collector waits 40 s before it removes the pods of a node that is gone',
		history: [
			initially(false, 'v1.16 pkg/controller/podgc/gc_controller.go gcOrphaned'),
			since(17, true, 'v1.17 pkg/controller/podgc/gc_controller.go gcOrphaned'),
		],
	},
	budgetsSparePending: {
		kind: 'rule',
		name: 'pending-pods-ask-no-budget',
		meaning: 'the Eviction API asks no budget for a pod that is Pending, or deleted already',
		history: [
			initially(false, 'v1.18 pkg/registry/core/pod/storage/eviction.go Create'),
			since(19, true, 'v1.19 pkg/registry/core/pod/storage/eviction.go canIgnorePDB'),
		],
	},
	budgetsSpareUnready: {
		kind: 'rule',
		name: 'unready-pods-ask-no-budget',
		meaning: 'the Eviction API lets a pod that is not ready go where its budget has enough healthy ones',
		history: [
			initially(false, 'v1.19 pkg/registry/core/pod/storage/eviction.go Create'),
			since(20, true, 'kubernetes/kubernetes#94381'),
		],
	},
	unhealthyPodEvictionPolicy: {
		kind: 'gate',
		name: 'PDBUnhealthyPodEvictionPolicy',
		meaning: 'a budget may let all pods go that are not ready',
		history: [
			initially(false, 'v1.25 pkg/features/kube_features.go'),
			since(27, true, 'KEP-3017; alpha in v1.26, gate locked in v1.31'),
		],
		settableSince: 26,
		fixedSince: 31,
	},
	jobFailurePolicy: {
		kind: 'gate',
		name: 'JobPodFailurePolicy',
		meaning: "a Job's podFailurePolicy says which failures of its pods count",
		history: [
			initially(false, 'v1.24 pkg/features/kube_features.go'),
			since(26, true, 'KEP-3329; alpha in v1.25, gate locked in v1.31'),
		],
		settableSince: 25,
		fixedSince: 31,
	},
	jobPolicyWaitsForEnd: {
		kind: 'rule',
		name: 'job-failure-policy-waits-for-end',
		meaning: 'a Job with a podFailurePolicy replaces a pod only once that has ended',
		history: [
			initially(false, 'v1.27 pkg/controller/job/job_controller.go manageJob'),
			since(28, true, 'v1.28 pkg/controller/job/job_controller.go onlyReplaceFailedPods'),
		],
	},
	jobTracksPods: {
		kind: 'gate',
		name: 'JobTrackingWithFinalizers',
		meaning: 'a Job counts a pod as failed as soon as it is being deleted',
		history: [
			initially(false, 'v1.24 pkg/features/kube_features.go'),
			since(25, true, 'KEP-2307; alpha in v1.22, gate locked in v1.26'),
		],
		settableSince: 22,
		fixedSince: 26,
	},
	jobPodReplacementPolicy: {
		kind: 'gate',
		name: 'JobPodReplacementPolicy',
		meaning: "a Job's podReplacementPolicy says whether it replaces pods that are being deleted",
		history: [
			initially(false, 'v1.28 pkg/features/kube_features.go'),
			since(29, true, 'KEP-3939; alpha in v1.28, gate locked in v1.34'),
		],
		settableSince: 28,
		fixedSince: 34,
	},
	jobBackoffLimitPerIndex: {
		kind: 'gate',
		name: 'JobBackoffLimitPerIndex',
		meaning: 'an indexed Job may limit the failures of each index',
		history: [
			initially(false, 'v1.28 pkg/features/kube_features.go'),
			since(29, true, 'KEP-3850; alpha in v1.28, gate locked in v1.33'),
		],
		settableSince: 28,
		fixedSince: 33,
	},
	comparisonOperators: {
		kind: 'gate',
		name: 'TaintTolerationComparisonOperators',
		meaning: 'tolerations with the operators Lt and Gt; without it they match nothing',
		history: [initially(false, 'KEP-5471; alpha in v1.35')],
		settableSince: 35,
	},
	deviceTaints: {
		kind: 'gate',
		name: 'DRADeviceTaints',
		meaning: 'pods whose allocated devices get a NoExecute taint are deleted',
		history: [
			initially(false, 'KEP-5055; alpha in v1.33'),
			since(36, true, 'v1.36 pkg/features/kube_features.go'),
		],
		settableSince: 33,
	},
	extendedResourcesEvicted: {
		kind: 'rule',
		name: 'extended-resources-evicted',
		meaning: 'pods go for tainted devices of their extended resources as well',
		history: [
			initially(false, 'v1.36 device_taint_eviction.go podEvictionTime'),
			since(38, true, 'kubernetes/kubernetes#142289, as in v1.38.0-beta.0'),
		],
	},
	emptyEffectTolerates: {
		kind: 'rule',
		name: 'empty-effect-tolerates',
		meaning: "a toleration of a device's taint without an effect keeps its pods, too",
		history: [
			initially(false, 'v1.36 device_taint_eviction.go claimEvictionTime'),
			since(38, true, 'v1.38.0-beta.0 device_taint_eviction.go claimEvictionTime'),
		],
	},
	leaderElectResourceLock: {
		kind: 'flag',
		name: 'leader-elect-resource-lock',
		meaning: 'in which object the leader shows itself',
		history: [
			initially('endpoints', 'component-base v0.16 config/v1alpha1/defaults.go'),
			since(17, 'endpointsleases', 'kubernetes/kubernetes#84084'),
			since(20, 'leases', 'controller-manager v0.20 config/v1alpha1/defaults.go'),
		],
		fixedSince: 27,
	},
};

/** All settings that concern evictions and differ between the known releases. Everything else is the same in all of them. */
export const differences = Object.entries(table).map(([key, rest]) => ({key, ...rest}) as Difference);

/** The history of one setting. Throws for a setting that never differed, which is a bug. */
export function differenceOf(key: keyof ControllerSettings): Difference {
	const found = differences.find((one) => one.key === key);
	if (!found) throw new Error(`${key} is the same in all releases`);
	return found;
}

/** Whether a release allows setting it, by a flag or a gate; rules can never be set. */
export function isSettableIn({kind, settableSince, fixedSince}: Difference, minorVersion: number) {
	if (kind === 'rule') return false;
	return minorVersion >= (settableSince ?? 0) && minorVersion < (fixedSince ?? Number.POSITIVE_INFINITY);
}
