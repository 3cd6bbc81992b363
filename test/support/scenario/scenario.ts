import type {ConditionStatus} from '../../../src/core/model/node.ts';
import type {TaintEffect} from '../../../src/core/model/taint.ts';

/** Seconds, as scenario files give them, from the controllers' first start. */
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
	/** Status of its Ready condition, True where absent; `none` for a node without conditions and lease. */
	readonly ready?: ConditionStatus | 'none';
	readonly createdAt?: Seconds;
	/** When its kubelet first renews the lease. */
	readonly leasePhase?: Seconds;
	readonly noLease?: boolean;
	/** Its kubelet never does anything. */
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

/** One thing that happens to the cluster. */
export type ScenarioStep = {readonly at: Seconds} & (
	| {readonly do: 'stop-kubelet' | 'start-kubelet' | 'delete-node'; readonly node: string}
	/** Somebody writes the node's lease without renewing it, as by a label. */
	| {readonly do: 'touch-lease'; readonly node: string}
	/** Somebody deletes the node's lease: a kubelet that runs makes another. */
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
	/** Absent where nothing limits the controllers' clients. */
	readonly kubeApiQps?: number;
	readonly kubeApiBurst?: number;
	/** Present for releases that can evict without taints. */
	readonly podEvictionTimeout?: Seconds;
	/** Where it is false no taint manager runs either. */
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
