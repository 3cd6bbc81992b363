import type {FileSystems} from '../../../core/nodepressure/containerFsThresholds.ts';
import type {FsStats, Summary} from '../../../core/nodepressure/summary.ts';

/**
 * On which devices a node keeps its images and containers, as far as a summary tells: file systems of the same size with
 * as many inodes are taken for one. Undefined where it does not tell.
 */
export function guessFileSystems({node}: Summary): FileSystems | undefined {
	const {fs, imageFs, containerFs} = node;
	if (!fs || !imageFs) return undefined;
	const hasDedicatedImageFs = !isSame(fs, imageFs);
	// A container runtime that cannot tell gives the image file system twice.
	const isSplit = hasDedicatedImageFs && containerFs !== undefined && !isSame(containerFs, imageFs);
	return {hasDedicatedImageFs, hasDedicatedContainerFs: isSplit};
}

const isSame = (a: FsStats, b: FsStats): boolean =>
	a.capacityBytes === b.capacityBytes && a.inodes === b.inodes;
