import type {
	ContainerResources,
	NodePod,
	QosClass,
	ResourceList,
} from '../../src/core/nodepressure/nodePod.ts';
import {
	addQuantities,
	compareQuantities,
	type Quantity,
} from '../../src/core/nodepressure/quantities/quantity.ts';

const names = ['cpu', 'memory'] as const;
type Totals = Partial<Record<(typeof names)[number], Quantity>>;

/**
 * A pod's quality of service: from its status, or else from its resources.
 *
 * @quirk resources of the pod's own hide those of its containers
 * @upstream kubernetes v1.36.3 pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS
 */
export function qosClassOf(pod: NodePod): QosClass {
	if (pod.qosClass !== undefined) return pod.qosClass;
	const parts: readonly ContainerResources[] = pod.resources
		? [pod.resources]
		: [...pod.containers, ...pod.initContainers];
	const requests = totalsOf(parts.map((part) => part.requests));
	const limits = totalsOf(parts.map((part) => part.limits));
	const [asked, limited] = [Object.keys(requests).length, Object.keys(limits).length];
	if (asked === 0 && limited === 0) return 'BestEffort';
	// A pod's own resources are checked for limits only if it has some; a container's always.
	const judged = parts.filter((part) => part !== pod.resources || Object.keys(part.limits).length > 0);
	const isLimited = judged.every(({limits: own}) => names.every((name) => isPositive(own[name])));
	const isEqual = names.every((name) => {
		const [request, limit] = [requests[name], limits[name]];
		return !request || (limit !== undefined && compareQuantities(limit, request) === 0);
	});
	return isLimited && isEqual && asked === limited ? 'Guaranteed' : 'Burstable';
}

function totalsOf(lists: readonly ResourceList[]): Totals {
	const totals: Totals = {};
	for (const list of lists) {
		for (const name of names) {
			const [amount, sum] = [list[name], totals[name]];
			if (amount && isPositive(amount)) totals[name] = sum ? addQuantities(amount, sum) : amount;
		}
	}
	return totals;
}

const isPositive = (amount: Quantity | undefined): boolean => amount !== undefined && amount.unscaled > 0n;
