import {mapBy} from '../collections/mapBy.ts';
import type {Instant} from '../time/instant.ts';

/** A uint64 of the kubelet's /stats/summary. A negative amount is wrapped around, near 2^64. */
export type Uint64 = bigint;

export type MemoryStats = {
	/** When it was measured; absent for Go's zero time. */
	readonly time?: Instant | undefined;
	readonly availableBytes?: Uint64 | undefined;
	readonly workingSetBytes?: Uint64 | undefined;
};

export type FsStats = Readonly<{
	time?: Instant | undefined;
	availableBytes?: Uint64 | undefined;
	capacityBytes?: Uint64 | undefined;
	usedBytes?: Uint64 | undefined;
	inodesFree?: Uint64 | undefined;
	inodes?: Uint64 | undefined;
	inodesUsed?: Uint64 | undefined;
}>;

export type RlimitStats = {
	readonly time?: Instant | undefined;
	/** The maximum number of processes. */
	readonly maxpid?: Uint64 | undefined;
	/** The current number of processes. */
	readonly curproc?: Uint64 | undefined;
};

export type ContainerStats = Readonly<{
	name: string;
	memory?: MemoryStats | undefined;
	rootfs?: FsStats | undefined;
	logs?: FsStats | undefined;
}>;

export type VolumeStats = FsStats & {readonly name: string};

export type PodStats = Readonly<{
	/** For a static pod the hash of its manifest, not the UID of its mirror. */
	uid: string;
	/** When its sandbox was created. */
	startTime?: Instant | undefined;
	memory?: MemoryStats | undefined;
	containers: readonly ContainerStats[];
	volumes: readonly VolumeStats[];
	ephemeralStorage?: FsStats | undefined;
	processCount?: Uint64 | undefined;
}>;

export type NodeStats = Readonly<{
	memory?: MemoryStats | undefined;
	/** The memory of the cgroup of all pods: the system container `pods`. */
	podsMemory?: MemoryStats | undefined;
	fs?: FsStats | undefined;
	imageFs?: FsStats | undefined;
	containerFs?: FsStats | undefined;
	rlimit?: RlimitStats | undefined;
}>;

/** The part of a kubelet's /stats/summary that an eviction pass reads. */
export type Summary = {readonly node: NodeStats; readonly pods: readonly PodStats[]};

/**
 * The statistics of each pod by UID; the last of duplicates wins.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go cachedStatsFunc
 */
export function statsByUid({pods}: Pick<Summary, 'pods'>): ReadonlyMap<string, PodStats> {
	return mapBy(pods, (stats) => stats.uid);
}
