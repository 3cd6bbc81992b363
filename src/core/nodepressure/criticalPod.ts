import type {NodePod} from './nodePod.ts';

/** The priority of system-cluster-critical; a kubelet evicts no pod of this priority or higher. */
const systemCriticalPriority = 2_000_000_000;

/** Why a kubelet never evicts a pod. */
export type Protection = 'static' | 'mirror' | 'priority';

/**
 * Why a kubelet never evicts a pod; undefined if it may.
 *
 * @quirk a priority class by its name alone protects nobody: the priority counts
 * @upstream kubernetes v1.36.3 pkg/kubelet/types/pod_update.go IsCriticalPod
 */
export function protectionOf(pod: NodePod): Protection | undefined {
	if (pod.configSource !== undefined && pod.configSource !== 'api') return 'static';
	if (pod.isMirror) return 'mirror';
	return (pod.priority ?? 0) >= systemCriticalPriority ? 'priority' : undefined;
}
