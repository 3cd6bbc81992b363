import type {Action} from '../vector.ts';

/** An object of the API as JSON. */
export type RawObject = {
	readonly kind: 'Node' | 'NodeClaim' | 'NodePool';
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
	readonly policies: readonly RepairPolicy[];
	readonly objects: readonly RawObject[];
	readonly steps: readonly RepairScenarioStep[];
	readonly until: number;
};

/** A golden trace of Karpenter's node repair. */
export type RepairVector = {
	readonly karpenterVersion: string;
	readonly repairScenario: RepairScenario;
	/** `claim-deleted` of a NodeClaim, the detail; `repair-blocked` of a Node that it repairs not now. */
	readonly trace: readonly Action[];
};

export const isRepairVector = (content: unknown): content is RepairVector =>
	typeof content === 'object' && content !== null && 'repairScenario' in content;
