import type {FileSystems} from './thresholds/containerFsThresholds.ts';
import type {Signal} from './thresholds/signal.ts';

/** A pod's data on a file system: the writable layers of its containers, their logs, its local volumes. */
export type DiskPart = 'rootfs' | 'logs' | 'localVolumes';

/** What a kubelet itself can free: dead containers and unused images. */
export type GarbageCollection = 'containerGC' | 'imageGC';

type FileSystemFamily = {
	readonly parts: readonly DiskPart[];
	readonly collections: readonly GarbageCollection[];
};

const everything: readonly DiskPart[] = ['rootfs', 'logs', 'localVolumes'];
const collectAll: readonly GarbageCollection[] = ['containerGC', 'imageGC'];

const single: FileSystemFamily = {parts: everything, collections: collectAll};
const dedicatedNodeFs: FileSystemFamily = {parts: ['logs', 'localVolumes'], collections: []};
const dedicatedImageFs: FileSystemFamily = {parts: ['rootfs'], collections: collectAll};
const splitNodeFs: FileSystemFamily = {parts: everything, collections: ['containerGC']};
const splitImageFs: FileSystemFamily = {parts: [], collections: ['imageGC']};

/**
 * The parts of a pod that count as its usage of a signal's file system; none for signals of memory and processes.
 *
 * @quirk where images are apart from containers, no pod uses any of the imagefs, and it ranks them all the same
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go buildSignalToRankFunc
 */
export function diskParts(signal: Signal, fileSystems: FileSystems): readonly DiskPart[] {
	return familyOf(signal, fileSystems)?.parts ?? [];
}

/**
 * The collections that a kubelet runs, in order, before it evicts for a signal.
 *
 * @quirk where images and containers are apart from the nodefs, nothing is collected for the nodefs
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go buildSignalToNodeReclaimFuncs
 */
export function garbageCollections(signal: Signal, fileSystems: FileSystems): readonly GarbageCollection[] {
	return familyOf(signal, fileSystems)?.collections ?? [];
}

function familyOf(
	signal: Signal,
	{hasDedicatedImageFs, hasDedicatedContainerFs}: FileSystems,
): FileSystemFamily | undefined {
	const fileSystem = signal.slice(0, signal.indexOf('.'));
	if (!['nodefs', 'imagefs', 'containerfs'].includes(fileSystem)) return undefined;
	if (!hasDedicatedImageFs) return single;
	if (hasDedicatedContainerFs) return fileSystem === 'imagefs' ? splitImageFs : splitNodeFs;
	return fileSystem === 'nodefs' ? dedicatedNodeFs : dedicatedImageFs;
}
