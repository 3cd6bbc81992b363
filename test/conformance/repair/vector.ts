import type {Action} from '../vector.ts';

/** An object of the API as JSON. */
export type RawObject = {
	readonly kind: 'Node' | 'NodeClaim' | 'NodePool' | 'Machine' | 'MachineHealthCheck';
	readonly metadata: {readonly name: string} & Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** What happens at some second: an object is so from now on, another is gone, or a new controller process starts. */
export type RepairScenarioStep = {readonly at: number} & (
	| {readonly apply: RawObject}
	| {readonly delete: RawObject}
	| {readonly restart: true}
);

/** A condition that the cloud provider has repaired; for how many seconds it must have lasted. */
export type RepairPolicy = {
	readonly type: string;
	readonly status: 'True' | 'False' | 'Unknown';
	readonly toleration: number;
};

/** Virtual time begins with the year 2000. */
export type RepairScenario = {
	readonly name: string;
	/** Of Karpenter's provider. */
	readonly policies?: readonly RepairPolicy[];
	readonly objects: readonly RawObject[];
	readonly steps: readonly RepairScenarioStep[];
	readonly until: number;
};

/** A golden trace of node repair. */
export type RepairVector = {
	/** Whose, and of which version: `karpenter-v1.14.1`; `machineapi-...` or `clusterapi-...` of the MachineHealthChecks of OpenShift or Cluster API. */
	readonly of: string;
	readonly repairScenario: RepairScenario;
	/**
	 * `claim-deleted`, `machine-deleted`, `machine-marked` for its owner to replace it, or `remediation-requested` of what the
	 * detail names; `repair-blocked` of a Node that is not repaired now, or of the check that the detail names.
	 */
	readonly trace: readonly Action[];
};

export const isRepairVector = (content: unknown): content is RepairVector =>
	typeof content === 'object' && content !== null && 'repairScenario' in content;
