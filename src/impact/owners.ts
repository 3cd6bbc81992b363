import type {Controller, Related} from '../core/model/workloads/related.ts';
import {type OwnedPod, type WorkloadName, workloadOf} from '../core/model/workloads/workload.ts';

/** The longest chain of owners that is followed; a longer one is a cycle. */
const longestChain = 5;

/** Follows a pod's owners as far as they were read: its own one, and that of the workload. */
export function ownerChainOf(pod: OwnedPod, {controllers}: Related) {
	const owner = pod.owner && controllers.get(pod.owner.uid);
	if (!owner) return {workload: workloadOf(pod), owner, root: undefined};
	let root: Controller | undefined = owner;
	let workload: WorkloadName = {kind: owner.kind, name: owner.name};
	for (let length = 1; root?.owner && length < longestChain; length += 1) {
		workload = {kind: root.owner.kind, name: root.owner.name};
		root = controllers.get(root.owner.uid);
	}
	return {workload, owner, root};
}
