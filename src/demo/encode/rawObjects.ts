import type {ApiObject} from './apiObject.ts';

// The parts of raw objects that tables show. All is optional, since anything may have been put into the store.

export type RawNode = ApiObject & {
	readonly spec?: {readonly unschedulable?: boolean};
	readonly status?: {
		readonly addresses?: readonly {readonly type: string; readonly address: string}[];
		readonly conditions?: readonly {readonly type: string; readonly status: string}[];
	};
};

/** One of waiting, running and terminated. */
export type RawContainerState = Readonly<
	Record<string, {readonly reason?: string; readonly startedAt?: string}>
>;

export type RawContainerStatus = {
	readonly ready: boolean;
	readonly restartCount: number;
	readonly state?: RawContainerState;
};

export type RawPod = ApiObject & {
	readonly spec?: {readonly containers?: readonly unknown[]};
	readonly status?: {
		readonly phase?: string;
		readonly reason?: string;
		readonly containerStatuses?: readonly RawContainerStatus[];
	};
};
