import type {ApiObject} from './apiObject.ts';

// The parts of raw objects that are written by the encoders and read by the tables. All is optional where it is
// read, since anything may have been put into the store.

type RawCondition = {
	readonly type: string;
	readonly status: string;
	readonly lastHeartbeatTime?: string;
	readonly lastTransitionTime?: string | null;
	readonly reason?: string;
	readonly message?: string;
};

export type RawTaint = {
	readonly key: string;
	readonly value?: string;
	readonly effect: string;
	readonly timeAdded?: string;
};

export type RawNode = ApiObject & {
	readonly spec?: {readonly unschedulable?: boolean; readonly taints?: readonly RawTaint[]};
	readonly status?: {
		readonly addresses?: readonly {readonly type: string; readonly address: string}[];
		readonly conditions?: readonly RawCondition[];
		readonly nodeInfo?: Readonly<Record<string, string>>;
	};
};

export type RawToleration = {
	readonly key?: string;
	readonly operator?: string;
	readonly value?: string;
	readonly effect?: string;
	readonly tolerationSeconds?: number;
};

export type RawContainerState = Readonly<
	Record<string, {readonly reason?: string; readonly startedAt?: string}>
>;

export type RawContainerStatus = {
	readonly name: string;
	readonly ready: boolean;
	readonly restartCount: number;
	readonly state?: RawContainerState;
};

export type RawPod = ApiObject & {
	readonly spec?: {
		readonly nodeName?: string;
		readonly containers?: readonly {readonly name: string}[];
		readonly tolerations?: readonly RawToleration[];
	};
	readonly status?: {
		readonly phase?: string;
		readonly reason?: string;
		readonly podIP?: string;
		readonly conditions?: readonly RawCondition[];
		readonly containerStatuses?: readonly RawContainerStatus[];
	};
};

export type RawLease = ApiObject & {
	readonly spec?: {
		readonly holderIdentity?: string;
		readonly leaseDurationSeconds?: number;
		readonly acquireTime?: string;
		readonly renewTime?: string;
		readonly leaseTransitions?: number;
	};
};
