import type {ControllerSettings} from '../model/controllerSettings.ts';
import {isPodTerminal, type Pod} from '../model/pod.ts';
import type {Budget} from '../model/workloads/related.ts';

/** A flag of `kubectl drain` without which it refuses a node for one of its pods. */
export type DrainFlag = '--delete-emptydir-data' | '--force';

/**
 * The flags that `kubectl drain --ignore-daemonsets` needs to evict a pod; undefined for one that it leaves alone.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/kubectl/pkg/drain/filters.go makeFilters
 */
export function drainFlags(pod: Pod): readonly DrainFlag[] | undefined {
	const {owner, isMirror, hasEmptyDir} = pod;
	if (isMirror) return undefined;
	if (isPodTerminal(pod)) return [];
	if (owner?.kind === 'DaemonSet') return undefined;
	return [
		...(hasEmptyDir ? ['--delete-emptydir-data' as const] : []),
		// It looks for a DaemonSet of that name, and finds none that is of another API group.
		...(owner && !owner.kind.startsWith('DaemonSet.') ? [] : ['--force' as const]),
	];
}

/**
 * What the Eviction API answers now: Allowed, whatever its budget allows; Counted against what the only budget allows; Refused, so
 * that the client tries again; or an Error.
 *
 * @param budgets that cover the pod
 * @upstream kubernetes v1.36.3 pkg/registry/core/pod/storage/eviction.go Create
 */
export function evictionNow(
	pod: Pod,
	[budget, ...more]: readonly Budget[],
	rules: ControllerSettings,
): 'Allowed' | 'Counted' | 'Refused' | 'Error' {
	const isDisrupted = pod.phase === 'Pending' || pod.deletionTimestamp !== undefined;
	if (!budget || isPodTerminal(pod) || (isDisrupted && rules.budgetsSparePending)) return 'Allowed';
	if (more.length > 0) return 'Error';
	const {currentHealthy, desiredHealthy, allowsUnready, disruptionsAllowed = 0} = budget;
	const isHealthy = rules.budgetsSpareUnready && currentHealthy >= desiredHealthy && desiredHealthy > 0;
	if (pod.ready !== 'True' && (allowsUnready || isHealthy)) return 'Allowed';
	if (disruptionsAllowed < 0) return 'Error';
	return disruptionsAllowed > 0 ? 'Counted' : 'Refused';
}
