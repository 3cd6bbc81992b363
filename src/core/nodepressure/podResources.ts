import type {ContainerResources, InitContainer, NodePod, PodContainer, ResourceList} from './nodePod.ts';
import {addQuantities, compareQuantities, newQuantity, type Quantity} from './quantities/quantity.ts';

/**
 * How much a pod requests of a resource, for its place in the order of eviction.
 *
 * @quirk a pod with resources of its own requests no ephemeral storage, whatever its containers ask for
 * @quirk overhead counts only where something is requested
 * @upstream kubernetes v1.36.3 pkg/api/v1/resource/helpers.go GetResourceRequestQuantity
 */
export function podRequest(pod: NodePod, resource: string): Quantity {
	const found = requested(pod, resource);
	const none = newQuantity(0n, binaryResources.has(resource) ? 'BinarySI' : 'DecimalSI');
	const request = found ? addQuantities(none, found) : none;
	const overhead = pod.overhead[resource];
	return overhead && request.unscaled !== 0n ? addQuantities(request, overhead) : request;
}

/**
 * The sum of a pod's limits of a resource; undefined if no container has one.
 *
 * @quirk containers without a limit count with zero: one limit of a container limits the whole pod
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/resource/helpers.go PodLimits
 */
export function podLimit(pod: NodePod, resource: string): Quantity | undefined {
	const ownLimit = isPodLevelResource(resource) ? pod.resources?.limits[resource] : undefined;
	const limit = ownLimit ?? aggregate(pod, ({limits}) => limits[resource]);
	const overhead = pod.overhead[resource];
	return limit && overhead && limit.unscaled !== 0n ? addQuantities(limit, overhead) : limit;
}

/**
 * Whether a pod has pod-level requests or limits.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/resource/helpers.go IsPodLevelResourcesSet
 */
export function hasPodLevelResources({resources}: NodePod) {
	const isSet = (list: ResourceList) => Object.keys(list).some(isPodLevelResource);
	return resources !== undefined && (isSet(resources.requests) || isSet(resources.limits));
}

const binaryResources: ReadonlySet<string> = new Set(['memory', 'storage', 'ephemeral-storage']);

/**
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/resource/helpers.go IsSupportedPodLevelResource
 */
const isPodLevelResource = (name: string) =>
	name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

function requested(pod: NodePod, resource: string): Quantity | undefined {
	if (!hasPodLevelResources(pod)) return aggregate(pod, ({requests}) => requests[resource]);
	return isPodLevelResource(resource) ? pod.resources?.requests[resource] : undefined;
}

/**
 * The total of the containers: the sum of those that run at the same time, or the peak while an init container runs,
 * whichever is higher.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/resource/helpers.go AggregateContainerRequests
 */
function aggregate(
	{containers, initContainers}: NodePod,
	amountOf: (resources: ContainerResources) => Quantity | undefined,
): Quantity | undefined {
	let sum: Quantity | undefined;
	let [sidecars, starting]: (Quantity | undefined)[] = [];
	const all: readonly (PodContainer | InitContainer)[] = [...containers, ...initContainers];
	for (const [index, container] of all.entries()) {
		const amount = amountOf(container);
		const isInit = index >= containers.length;
		const isSidecar = 'isSidecar' in container && container.isSidecar;
		if (!isInit || isSidecar) sum = sumOf(sum, amount);
		if (isSidecar) sidecars = sumOf(sidecars, amount);
		if (isInit) starting = greater(starting, isSidecar ? sidecars : sumOf(amount, sidecars));
	}
	return greater(sum, starting);
}

const sumOf = (a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined =>
	a && b ? addQuantities(a, b) : (a ?? b);

const greater = (a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined =>
	a && b ? (compareQuantities(b, a) > 0 ? b : a) : (a ?? b);
