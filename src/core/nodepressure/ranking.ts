import {podDiskUsage} from './diskUsage.ts';
import {diskParts} from './fileSystemLayout.ts';
import type {NodePod} from './nodePod.ts';
import {podRequest} from './podResources.ts';
import {compareQuantities, newQuantity, type Quantity, subtractQuantities} from './quantities/quantity.ts';
import type {PodStats} from './summary.ts';
import type {FileSystems} from './thresholds/containerFsThresholds.ts';
import {resourceOf, type Signal, type StarvedResource} from './thresholds/signal.ts';

/** What decides a pod's place in the order of eviction. */
export type RankedPod = {
	readonly pod: NodePod;
	readonly priority: number;
	/** Absent if the kubelet has no statistics of it. */
	readonly use?: Use;
};

/** A pod's usage of the resource that runs short. */
type Use = Readonly<{
	usage: bigint;
	/** The request that usage is compared with: pods above it come first. Zero for inodes. */
	request: Quantity;
	exceeds: boolean;
	/** Usage minus request; the last sort criterion. */
	overuse: Quantity;
}>;

/**
 * Orders pods for eviction, the next victim first. Pods that rank equal keep their order; a real kubelet orders them
 * randomly.
 *
 * @quirk a pod without statistics goes before any other, whatever its priority
 * @quirk for processes the priority comes first, and no request counts
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go orderedBy
 */
export function rankPods(
	pods: readonly NodePod[],
	stats: ReadonlyMap<string, PodStats>,
	signal: Signal,
	fileSystems: FileSystems,
): readonly RankedPod[] {
	const resource = resourceOf(signal);
	return pods
		.map((pod): RankedPod => {
			const ofPod = stats.get(pod.uid);
			const priority = pod.priority ?? 0;
			if (!ofPod) return {pod, priority};
			return {pod, priority, use: measure(pod, podUsage(pod, ofPod, signal, fileSystems), resource)};
		})
		.toSorted(comparisonFor(signal));
}

/** Whether two pods rank equal, so that their order is random. */
export function isTie(a: RankedPod, b: RankedPod, signal: Signal) {
	return comparisonFor(signal)(a, b) === 0;
}

const comparisonFor = (signal: Signal) =>
	resourceOf(signal) === 'pids' ? compareByProcesses : compareByRequest;

/**
 * @quirk inodes are measured by the request of bytes: a pod that requests any storage ranks far behind
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go disk
 */
function measure(pod: NodePod, usage: bigint, resource: StarvedResource): Use {
	const used = newQuantity(usage, 'BinarySI');
	const request = podRequest(pod, resource);
	const measured = resource === 'inodes' ? podRequest(pod, 'ephemeral-storage') : request;
	return {
		usage,
		request,
		exceeds: compareQuantities(used, request) > 0,
		overuse: subtractQuantities(used, measured),
	};
}

/** How much a pod uses of a signal's resource, and frees when it ends. */
export function podUsage(pod: NodePod, stats: PodStats, signal: Signal, fileSystems: FileSystems): bigint {
	switch (resourceOf(signal)) {
		case 'memory':
			return BigInt.asIntN(64, stats.memory?.workingSetBytes ?? 0n);
		case 'ephemeral-storage':
			return podDiskUsage(pod, stats, diskParts(signal, fileSystems), 'usedBytes');
		case 'inodes':
			return podDiskUsage(pod, stats, diskParts(signal, fileSystems), 'inodesUsed');
		case 'pids':
			return stats.processCount ?? 0n;
	}
}

/**
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go rankMemoryPressure
 */
function compareByRequest(a: RankedPod, b: RankedPod): number {
	return stageOf(a) - stageOf(b) || a.priority - b.priority || compareOveruse(a, b);
}

/**
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go rankPIDPressure
 */
function compareByProcesses(a: RankedPod, b: RankedPod): number {
	if (a.priority !== b.priority) return a.priority - b.priority;
	if (!a.use || !b.use) return Number(b.use === undefined) - Number(a.use === undefined);
	return Number(BigInt.asIntN(64, b.use.usage - a.use.usage));
}

/** Sorts pods without statistics first, then those above their request, then those within it. */
const stageOf = ({use}: RankedPod): number => (use ? (use.exceeds ? 1 : 2) : 0);

const compareOveruse = (a: RankedPod, b: RankedPod): number =>
	a.use && b.use ? compareQuantities(b.use.overuse, a.use.overuse) : 0;
