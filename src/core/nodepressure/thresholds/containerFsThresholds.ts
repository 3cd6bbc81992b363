import {isHard, type Threshold} from './threshold.ts';

/** How a node separates images and containers by device. */
export type FileSystems = {
	/** Whether images have a file system separate from the kubelet's. */
	readonly hasDedicatedImageFs: boolean;
	/** Whether writable layers have a file system separate from the images. */
	readonly hasDedicatedContainerFs: boolean;
};

/**
 * The thresholds once the file systems are known: containerfs gets the thresholds of the file system it is on,
 * whatever was configured. Configured ones are replaced in place, others are appended.
 *
 * @quirk a configured containerfs threshold is wiped out where its file system has none
 * @quirk with a containerfs apart and no imagefs apart, nothing is added
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go UpdateContainerFsThresholds
 */
export function withContainerFsThresholds(
	thresholds: readonly Threshold[],
	{hasDedicatedImageFs, hasDedicatedContainerFs}: FileSystems,
): readonly Threshold[] {
	if (hasDedicatedContainerFs && !hasDedicatedImageFs) return thresholds;
	const source = hasDedicatedImageFs && !hasDedicatedContainerFs ? 'imagefs' : 'nodefs';
	const result = [...thresholds];
	for (const kind of ['available', 'inodesFree'] as const) {
		for (const hard of [true, false]) {
			const find = (fileSystem: 'containerfs' | typeof source) =>
				thresholds.findLastIndex(
					(threshold) => threshold.signal === `${fileSystem}.${kind}` && isHard(threshold) === hard,
				);
			const copied = thresholds[find(source)] ?? neverMet;
			const place = find('containerfs');
			result[place === -1 ? result.length : place] = {...copied, signal: `containerfs.${kind}`};
		}
	}
	return result;
}

const neverMet = {operator: '', value: {percentage: 0}, gracePeriod: 0} as const;
