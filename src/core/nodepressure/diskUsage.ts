import type {DiskPart} from './fileSystemLayout.ts';
import type {NodePod, PodVolume} from './nodePod.ts';
import type {FsStats, PodStats} from './summary.ts';

type DiskMeasure = 'usedBytes' | 'inodesUsed';

/**
 * How much a pod uses of a file system; missing statistics count as zero.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go podDiskUsage
 */
export function podDiskUsage(
	pod: NodePod,
	stats: PodStats,
	parts: readonly DiskPart[],
	measure: DiskMeasure,
): bigint {
	let total = 0n;
	for (const container of stats.containers) {
		if (parts.includes('rootfs')) total += used(container.rootfs, measure);
		if (parts.includes('logs')) total += used(container.logs, measure);
	}
	if (!parts.includes('localVolumes')) return total;
	for (const volume of pod.volumes) {
		if (isLocal(volume))
			total += used(
				stats.volumes.find(({name}) => name === volume.name),
				measure,
			);
	}
	return total;
}

/** The used amount of a file system as int64; zero if it is not known. */
export function used(stats: FsStats | undefined, measure: DiskMeasure = 'usedBytes'): bigint {
	return BigInt.asIntN(64, stats?.[measure] ?? 0n);
}

/**
 * @quirk of a pod's volumes only hostPath, configMap, gitRepo and emptyDir on disk count: no secret, projected or claimed one
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go localVolumeNames
 */
const isLocal = ({kind, medium = ''}: PodVolume) => (kind === 'emptyDir' ? medium === '' : kind !== 'other');
