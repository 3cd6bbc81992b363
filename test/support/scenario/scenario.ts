import type {ConditionStatus} from '../../../src/core/model/node.ts';
import type {TaintEffect} from '../../../src/core/model/taint.ts';

/** Seconds from the controllers' first start, as in scenario files. */
type Seconds = number;

export type ScenarioTaint = {readonly key: string; readonly value?: string; readonly effect: TaintEffect};

export type ScenarioToleration = {
	readonly key?: string;
	readonly operator?: string;
	readonly value?: string;
	readonly effect?: string;
	readonly tolerationSeconds?: number;
};

export type ScenarioNode = {
	readonly name: string;
	readonly labels?: Readonly<Record<string, string>>;
	readonly taints?: readonly ScenarioTaint[];
	/** Status of its Ready condition, True by default; `none` for a node without conditions and lease. */
	readonly ready?: ConditionStatus | 'none';
	readonly createdAt?: Seconds;
	/** When its kubelet first renews the lease. */
	readonly leasePhase?: Seconds;
	readonly noLease?: boolean;
	/** Its kubelet never runs. */
	readonly silent?: boolean;
	readonly unschedulable?: boolean;
};

export type ScenarioPod = {
	readonly name: string;
	readonly namespace?: string;
	readonly node: string;
	readonly tolerations?: readonly ScenarioToleration[];
	readonly ownerKind?: string;
	readonly labels?: Readonly<Record<string, string>>;
	readonly ready?: boolean;
};

/** One step of a scenario. */
export type ScenarioStep = {readonly at: Seconds} & (
	| {readonly do: 'stop-kubelet' | 'start-kubelet' | 'delete-node'; readonly node: string}
	/** A user writes the node's lease without renewing it, for example to add a label. */
	| {readonly do: 'touch-lease'; readonly node: string}
	/** A user deletes the node's lease: a running kubelet creates another. */
	| {readonly do: 'delete-lease'; readonly node: string}
	/** The kubelet of a node that is back makes its pods ready again, and ends those that are Terminating. */
	| {readonly do: 'sync-pods'; readonly node: string}
	| {readonly do: 'cordon' | 'uncordon'; readonly node: string}
	| {readonly do: 'add-node'; readonly nodeSpec: ScenarioNode}
	| {readonly do: 'add-pod'; readonly podSpec: ScenarioPod}
	| {readonly do: 'delete-pod'; readonly pod: string}
	| {readonly do: 'add-taint' | 'remove-taint'; readonly node: string; readonly taint: ScenarioTaint}
	| {
			readonly do: 'set-tolerations';
			readonly pod: string;
			readonly tolerations?: readonly ScenarioToleration[];
	  }
	| {
			readonly do: 'set-condition';
			readonly node: string;
			readonly condition: {readonly type: string; readonly status: ConditionStatus; readonly reason?: string};
	  }
	| {readonly do: 'set-labels'; readonly node: string; readonly labels?: Readonly<Record<string, string>>}
	| {readonly do: 'stop-controllers' | 'start-controllers' | 'snapshot'}
);

/** kube-controller-manager's flags, in a scenario file's units. */
export type ScenarioConfig = {
	readonly nodeMonitorPeriod: Seconds;
	readonly nodeStartupGracePeriod: Seconds;
	readonly nodeMonitorGracePeriod: Seconds;
	readonly nodeEvictionRate: number;
	readonly secondaryNodeEvictionRate: number;
	readonly largeClusterSizeThreshold: number;
	readonly unhealthyZoneThreshold: number;
	/** Absent if the controllers' clients are not throttled. */
	readonly kubeApiQps?: number;
	readonly kubeApiBurst?: number;
	/** Present for releases that can evict without taints. */
	readonly podEvictionTimeout?: Seconds;
	/** If it is false, no taint manager runs either. */
	readonly taintBasedEvictions?: boolean;
};

/** A cluster, its controllers' flags, and what happens to it. */
export type Scenario = {
	readonly name: string;
	readonly config: ScenarioConfig;
	readonly monitorPassDuration: Seconds;
	readonly leaseRenewInterval: Seconds;
	readonly nodeStatusReportInterval: Seconds;
	readonly nodes: readonly ScenarioNode[];
	readonly pods: readonly ScenarioPod[];
	readonly steps: readonly ScenarioStep[];
	readonly until: Seconds;
};
