import type {Action} from '../vector.ts';

/** An object of the API as JSON. */
export type RawObject = {
	readonly kind: 'Node' | 'NodeClaim' | 'NodePool' | 'Machine' | 'MachineHealthCheck';
	readonly metadata: {readonly name: string} & Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** A step: an object is applied or deleted, or a new controller process starts. */
export type RepairScenarioStep = {readonly at: number} & (
	| {readonly apply: RawObject}
	| {readonly delete: RawObject}
	| {readonly restart: true}
);

/** A condition that is repaired for the cloud provider, and for how many seconds it must have lasted. */
export type RepairPolicy = {
	readonly type: string;
	readonly status: 'True' | 'False' | 'Unknown';
	readonly toleration: number;
};

/** Virtual time begins with the year 2000. */
export type RepairScenario = {
	readonly name: string;
	/** The policies of Karpenter's provider. */
	readonly policies?: readonly RepairPolicy[];
	readonly objects: readonly RawObject[];
	readonly steps: readonly RepairScenarioStep[];
	readonly until: number;
};

/** A golden trace of node repair. */
export type RepairVector = {
	/** `karpenter-v1.14.1`, or `machineapi-...` or `clusterapi-...` for OpenShift's or Cluster API's MachineHealthChecks. */
	readonly of: string;
	readonly repairScenario: RepairScenario;
	/**
	 * `claim-deleted`, `machine-deleted`, `machine-marked` (for its owner to replace it) or `remediation-requested` for the
	 * object in the detail; `repair-blocked` for a Node that is not repaired now, or for the check in the detail.
	 */
	readonly trace: readonly Action[];
};

export const isRepairVector = (content: unknown): content is RepairVector =>
	typeof content === 'object' && content !== null && 'repairScenario' in content;
