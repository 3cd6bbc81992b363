// The fields of Kubernetes' objects that the test reads and writes.

export type Metadata = {
	readonly name: string;
	readonly namespace?: string;
	readonly uid?: string;
	readonly deletionTimestamp?: string;
	readonly annotations?: Readonly<Record<string, string>>;
};

type Condition = {
	readonly type: string;
	readonly status: string;
	readonly reason?: string;
	readonly lastTransitionTime?: string;
};

export type NodeObject = {
	readonly metadata: Metadata;
	readonly spec?: {readonly taints?: readonly {readonly key: string; readonly effect: string}[]};
	readonly status?: {readonly conditions?: readonly Condition[]};
};

export type PodObject = {
	readonly metadata: Metadata;
	readonly spec: {readonly nodeName?: string};
	readonly status?: {readonly phase?: string; readonly conditions?: readonly Condition[]};
};

export type LeaseObject = {readonly metadata: Metadata; readonly spec: {readonly renewTime?: string}};

/** `namespace/name`, as in the forecasts. */
export const podName = ({metadata: {namespace, name}}: {readonly metadata: Metadata}) =>
	`${namespace}/${name}`;

/** A metav1.Time, in whole seconds. */
export const time = (now: number) => `${new Date(now).toISOString().slice(0, 19)}Z`;

/** A metav1.MicroTime: the API requires exactly six digits. */
export const microTime = (now: number) => new Date(now).toISOString().replace('Z', '000Z');
