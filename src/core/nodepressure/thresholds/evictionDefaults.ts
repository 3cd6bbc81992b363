import type {Statements} from './parseThresholds.ts';

/**
 * The hard thresholds of a kubelet on Linux if its configuration file has none.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/defaults_linux.go DefaultEvictionHard
 */
export const defaultEvictionHard: Statements = {
	'memory.available': '100Mi',
	'nodefs.available': '10%',
	'nodefs.inodesFree': '5%',
	'imagefs.available': '15%',
	'imagefs.inodesFree': '5%',
};
