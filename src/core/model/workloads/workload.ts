import type {TextMap} from '../../../text/textMap.ts';
import type {PodOwner} from '../pod.ts';

/** The workload of a pod, as shown to users. */
export type WorkloadName = {readonly kind: string; readonly name: string};
export type NamespacedWorkload = WorkloadName & {readonly namespace: string};

/** `namespace/kind/name`, which is unique. */
export const workloadKey = ({namespace, kind, name}: NamespacedWorkload): string =>
	`${namespace}/${kind}/${name}`;

export const workloadKeyOf = (pod: OwnedPod & {readonly namespace: string}): string =>
	workloadKey({namespace: pod.namespace, ...workloadOf(pod)});

/** What identifies a pod's workload: its controller, or its own name and labels. */
export type OwnedPod = {
	readonly owner?: PodOwner | undefined;
	readonly labels: TextMap;
	readonly name: string;
};

/** A pod's workload: its owner, or the Deployment of its ReplicaSet; the pod itself if it has no owner. */
export function workloadOf({owner, labels, name}: OwnedPod): WorkloadName {
	if (!owner) return {kind: 'Pod', name};
	const hash = labels['pod-template-hash'];
	const isOfDeployment = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`);
	return isOfDeployment
		? {kind: 'Deployment', name: owner.name.slice(0, -hash.length - 1)}
		: {kind: owner.kind, name: owner.name};
}

/** The name of a workload in sentences: `shop/deployment/web`, and `shop/cart-0` for a bare pod. */
export const workloadTitle = ({namespace, kind, name}: NamespacedWorkload): string =>
	kind === 'Pod' ? `${namespace}/${name}` : `${namespace}/${kind.toLowerCase()}/${name}`;

/** Formats a workload as kubectl does: `deployment/web`. */
export const kindAndName = ({kind, name}: WorkloadName): string => `${kind.toLowerCase()}/${name}`;
