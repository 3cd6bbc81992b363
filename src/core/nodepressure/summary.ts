import {mapBy} from '../collections/mapBy.ts';
import type {Instant} from '../time/instant.ts';

/** A uint64 of the kubelet's /stats/summary. A negative amount is wrapped around, near 2^64. */
export type Uint64 = bigint;

export type MemoryStats = {
	/** When it was measured; absent for Go's zero time. */
	readonly time?: Instant;
	readonly availableBytes?: Uint64;
	readonly workingSetBytes?: Uint64;
};

export type FsStats = Readonly<{
	time?: Instant;
	availableBytes?: Uint64;
	capacityBytes?: Uint64;
	usedBytes?: Uint64;
	inodesFree?: Uint64;
	inodes?: Uint64;
	inodesUsed?: Uint64;
}>;

export type RlimitStats = {
	readonly time?: Instant;
	/** The maximum number of processes. */
	readonly maxpid?: Uint64;
	/** The current number of processes. */
	readonly curproc?: Uint64;
};

export type ContainerStats = Readonly<{
	name: string;
	memory?: MemoryStats;
	rootfs?: FsStats;
	logs?: FsStats;
}>;

export type VolumeStats = FsStats & {readonly name: string};

export type PodStats = Readonly<{
	/** For a static pod the hash of its manifest, not the UID of its mirror. */
	uid: string;
	/** When its sandbox was created. */
	startTime?: Instant;
	memory?: MemoryStats;
	containers: readonly ContainerStats[];
	volumes: readonly VolumeStats[];
	ephemeralStorage?: FsStats;
	processCount?: Uint64;
}>;

export type NodeStats = Readonly<{
	memory?: MemoryStats;
	/** The memory of the cgroup of all pods: the system container `pods`. */
	podsMemory?: MemoryStats;
	fs?: FsStats;
	imageFs?: FsStats;
	containerFs?: FsStats;
	rlimit?: RlimitStats;
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
