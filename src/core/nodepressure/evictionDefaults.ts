import type {Statements} from './parseThresholds.ts';

/**
 * The hard thresholds of a kubelet on Linux whose configuration file names none.
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

/**
 * The hard thresholds that follow of a configuration file. What configz answers has been through this already.
 *
 * @param evictionHard as the file has it; undefined where it names none
 * @quirk one hard threshold in the file drops all defaults, unless mergeDefaultEvictionSettings is set
 * @upstream kubernetes v1.36.3 cmd/kubelet/app/server.go loadConfigFile
 */
export function evictionHardOfFile(
	evictionHard: Statements | undefined,
	mergeDefaultEvictionSettings: boolean,
): Statements {
	if (evictionHard === undefined) return defaultEvictionHard;
	return mergeDefaultEvictionSettings ? {...defaultEvictionHard, ...evictionHard} : evictionHard;
}
