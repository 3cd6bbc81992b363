import {used} from './diskUsage.ts';
import type {NodePod} from './nodePod.ts';
import {podLimit} from './podResources.ts';
import {formatQuantity} from './quantities/formatQuantity.ts';
import {compareQuantities, int64Of, newQuantity, type Quantity} from './quantities/quantity.ts';
import type {PodStats} from './summary.ts';
import type {FileSystems} from './thresholds/containerFsThresholds.ts';

/** The signal name under which the kubelet counts such an eviction. */
export type StorageLimitSignal = 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit';

export type ExceededLimit = Readonly<{
	signal: StorageLimitSignal;
	/** The volume's or container's name; empty for the whole pod. */
	of: string;
	usage: bigint;
	limit: Quantity;
	message: string;
}>;

const resource = 'ephemeral-storage';

/**
 * The local storage limits that a pod exceeds, at most one of each kind, in the order in which a kubelet checks them:
 * it evicts for the first.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go localStorageEviction
 */
export function exceededLimits(
	pod: NodePod,
	stats: PodStats,
	fileSystems: FileSystems,
): readonly ExceededLimit[] {
	return [
		exceededEmptyDir(pod, stats),
		exceededPodLimit(pod, stats),
		exceededContainer(pod, stats, fileSystems),
	].filter((limit) => limit !== undefined);
}

/** Whether a pod has any local storage limit. */
export const hasStorageLimit = (pod: NodePod) =>
	pod.volumes.some(({kind, sizeLimit}) => kind === 'emptyDir' && sizeLimit !== undefined) ||
	podLimit(pod, resource) !== undefined;

/**
 * @quirk an emptyDir in memory has its limit checked like one on disk
 * @quirk a size limit of zero is none
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go emptyDirLimitEviction
 */
function exceededEmptyDir(pod: NodePod, stats: PodStats): ExceededLimit | undefined {
	for (const {name, kind, sizeLimit} of pod.volumes) {
		if (kind !== 'emptyDir' || !sizeLimit || sizeLimit.unscaled <= 0n) continue;
		const volume = stats.volumes.findLast((one) => one.name === name);
		if (!volume) continue;
		const usage = used(volume);
		if (!isOver(usage, sizeLimit)) continue;
		const message = `Usage of EmptyDir volume ${JSON.stringify(name)} exceeds the limit ${quoted(sizeLimit)}. `;
		return {signal: 'emptydirfs.limit', of: name, usage, limit: sizeLimit, message};
	}
	return undefined;
}

/**
 * @quirk containers without a limit add to the usage that the other containers' limits are held against
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go podEphemeralStorageLimitEviction
 */
function exceededPodLimit(pod: NodePod, stats: PodStats): ExceededLimit | undefined {
	const limit = podLimit(pod, resource);
	const usage = used(stats.ephemeralStorage);
	if (!limit || !isOver(usage, limit)) return undefined;
	const message = `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limit)}. `;
	return {signal: 'ephemeralpodfs.limit', of: '', usage, limit, message};
}

/**
 * @quirk a container's writable layer counts only where images share the node's file system
 * @upstream kubernetes v1.37.2 pkg/kubelet/eviction/eviction_manager.go containerEphemeralStorageLimitEviction
 */
function exceededContainer(
	pod: NodePod,
	stats: PodStats,
	{hasDedicatedImageFs}: FileSystems,
): ExceededLimit | undefined {
	const sidecars = pod.hasSidecarLimits ? pod.initContainers.filter(({isSidecar}) => isSidecar) : [];
	const limited = [...pod.containers, ...sidecars].filter(hasLimit);
	for (const {name, logs, rootfs} of stats.containers) {
		const limit = limited.findLast((container) => container.name === name)?.limits[resource];
		const usage = used(logs) + (hasDedicatedImageFs ? 0n : used(rootfs));
		if (!limit || !isOver(usage, limit)) continue;
		const message = `Container ${name} exceeded its local ephemeral storage limit ${quoted(limit)}. `;
		return {signal: 'ephemeralcontainerfs.limit', of: name, usage, limit, message};
	}
	return undefined;
}

const hasLimit = ({limits}: NodePod['containers'][number]) => {
	const limit = limits[resource];
	return limit !== undefined && int64Of(limit) !== 0n;
};

const isOver = (usage: bigint, limit: Quantity) =>
	compareQuantities(newQuantity(usage, 'BinarySI'), limit) > 0;

const quoted = (quantity: Quantity): string => JSON.stringify(formatQuantity(quantity));
