import type {Action} from '../vector.ts';

/** An object of the API as JSON. */
export type RawObject = {
	readonly kind: 'Pod' | 'ResourceSlice' | 'ResourceClaim' | 'DeviceTaintRule';
} & Readonly<Record<string, unknown>>;

/** A step: an object is applied or deleted, or a new controller process starts. */
export type DeviceScenarioStep = {readonly at: number} & (
	| {readonly apply: RawObject}
	| {readonly delete: RawObject}
	| {readonly restart: true}
);

/** Virtual time begins with the year 2000. */
export type DeviceScenario = {
	readonly name: string;
	readonly kubeApiQps: number;
	readonly kubeApiBurst: number;
	readonly deadNodes: readonly string[];
	readonly objects: readonly RawObject[];
	readonly steps: readonly DeviceScenarioStep[];
	readonly until: number;
};

/** A golden trace of the device taint eviction controller. */
export type DeviceVector = {
	readonly kubernetesVersion: string;
	readonly deviceScenario: DeviceScenario;
	/** Whether it is random which of several pods is first. */
	readonly order: 'decided' | 'undecided';
	readonly trace: readonly Action[];
};

export const isDeviceVector = (content: unknown): content is DeviceVector =>
	typeof content === 'object' && content !== null && 'deviceScenario' in content;
