import type {PodOwner} from '../pod.ts';

/** What a pod belongs to, for people. */
export type WorkloadName = {readonly kind: string; readonly name: string};

/** `namespace/kind/name`, which tells workloads apart. */
export const workloadKey = ({namespace, kind, name}: WorkloadName & {readonly namespace: string}): string =>
	`${namespace}/${kind}/${name}`;

/** The same of the workload of a pod. */
export const workloadKeyOf = (pod: OwnedPod & {readonly namespace: string}): string =>
	workloadKey({namespace: pod.namespace, ...workloadOf(pod)});

/** What tells a pod's workload: its controller, or its own name and labels. */
export type OwnedPod = {
	readonly owner?: PodOwner | undefined;
	readonly labels: Readonly<Record<string, string>>;
	readonly name: string;
};

/** A pod's workload: its owner, and of a ReplicaSet made by a Deployment, that Deployment; the pod itself where it has none. */
export function workloadOf({owner, labels, name}: OwnedPod): WorkloadName {
	if (!owner) return {kind: 'Pod', name};
	const hash = labels['pod-template-hash'];
	const isOfDeployment = owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`);
	return isOfDeployment
		? {kind: 'Deployment', name: owner.name.slice(0, -hash.length - 1)}
		: {kind: owner.kind, name: owner.name};
}

/** As kubectl names it: `deployment/web`. */
export const kindAndName = ({kind, name}: WorkloadName): string => `${kind.toLowerCase()}/${name}`;
