import type {Instant} from '../time/instant.ts';

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export type Taint = Readonly<{
	key: string;
	/** Empty if the taint has no value. */
	value: string;
	effect: TaintEffect;
	/** Set by the node lifecycle controller, in whole seconds in the API; a user's taint has none. */
	timeAdded?: Instant | undefined;
}>;

export const taintNotReady = 'node.kubernetes.io/not-ready';
export const taintUnreachable = 'node.kubernetes.io/unreachable';
export const taintUnschedulable = 'node.kubernetes.io/unschedulable';
export const taintMemoryPressure = 'node.kubernetes.io/memory-pressure';
export const taintDiskPressure = 'node.kubernetes.io/disk-pressure';
export const taintPidPressure = 'node.kubernetes.io/pid-pressure';
export const taintNetworkUnavailable = 'node.kubernetes.io/network-unavailable';
export const taintOutOfService = 'node.kubernetes.io/out-of-service';

/** The taint that marks a machine as shut down, as Kubernetes' documentation writes it. */
export const outOfServiceTaint = {
	key: taintOutOfService,
	value: 'nodeshutdown',
	effect: 'NoExecute',
} as const;

/** Taints of the node lifecycle controller: for nodes that are Unknown, and for others that are not ready. */
export const unreachableTaint: Taint = {key: taintUnreachable, value: '', effect: 'NoExecute'};
export const notReadyTaint: Taint = {key: taintNotReady, value: '', effect: 'NoExecute'};

/** Whether the node lifecycle controller adds and removes this taint as a node's readiness changes. */
export const isNodeLifecycleTaint = ({key}: Pick<Taint, 'key'>) =>
	key === taintNotReady || key === taintUnreachable;

/** What identifies a taint for the API: its value does not matter. */
export type TaintIdentity = Pick<Taint, 'key' | 'effect'>;

/**
 * Whether two taints are the same for the API: equal key and effect, whatever their values.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/taint.go MatchTaint
 */
export function matchesTaint(taint: TaintIdentity, other: TaintIdentity): boolean {
	return taint.key === other.key && taint.effect === other.effect;
}

/** Whether a list holds a taint of the same key and effect. */
export function hasTaint(taints: readonly Taint[], wanted: TaintIdentity) {
	// A loop, because every pass calls this for every node.
	for (const taint of taints) if (matchesTaint(taint, wanted)) return true;
	return false;
}

/** Text about taints without the prefix of Kubernetes' own, which tells nothing and takes room. */
export const withoutPrefix = (taints: string): string =>
	taints.replaceAll(/(?<=^| )node\.kubernetes\.io\//g, '');

/** Formats a taint as kubectl and the API's messages do: `key=value:Effect`, without `=` if there is no value. */
export function formatTaint(taint: Taint): string {
	return taint.value === '' ? `${taint.key}:${taint.effect}` : `${taint.key}=${taint.value}:${taint.effect}`;
}
