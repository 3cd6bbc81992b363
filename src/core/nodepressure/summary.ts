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

export type FsStats = {
	readonly time?: Instant;
	readonly availableBytes?: Uint64;
	readonly capacityBytes?: Uint64;
	readonly usedBytes?: Uint64;
	readonly inodesFree?: Uint64;
	readonly inodes?: Uint64;
	readonly inodesUsed?: Uint64;
};

export type RlimitStats = {
	readonly time?: Instant;
	/** The maximum number of processes. */
	readonly maxpid?: Uint64;
	/** The current number of processes. */
	readonly curproc?: Uint64;
};

export type ContainerStats = {
	readonly name: string;
	readonly memory?: MemoryStats;
	readonly rootfs?: FsStats;
	readonly logs?: FsStats;
};

export type VolumeStats = FsStats & {readonly name: string};

export type PodStats = {
	/** For a static pod the hash of its manifest, not the UID of its mirror. */
	readonly uid: string;
	/** When its sandbox was created. */
	readonly startTime?: Instant;
	readonly memory?: MemoryStats;
	readonly containers: readonly ContainerStats[];
	readonly volumes: readonly VolumeStats[];
	readonly ephemeralStorage?: FsStats;
	readonly processCount?: Uint64;
};

export type NodeStats = {
	readonly memory?: MemoryStats;
	/** The memory of the cgroup of all pods: the system container `pods`. */
	readonly podsMemory?: MemoryStats;
	readonly fs?: FsStats;
	readonly imageFs?: FsStats;
	readonly containerFs?: FsStats;
	readonly rlimit?: RlimitStats;
};

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
