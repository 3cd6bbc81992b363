import type {ClusterApi} from '../client/clusterApi.ts';
import {call, done, failed, type Next, sleep} from '../client/routines.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Duration} from '../time/instant.ts';

/** The deletion of one pod: read it, set the reason in its status (v1.26), delete it; up to five attempts. */
export type PodDeletionStep = {
	readonly do: 'deletePod' | 'podRead' | 'statusPatched' | 'podDeleted';
	readonly pod: string;
	readonly attempt: number;
};

/** How often a failing deletion is attempted. */
export const deletionAttempts = 5;
/** The time between attempts. */
export const retryAfter: Duration = 10;

/**
 * Does one step of a deletion.
 *
 * @quirk after five failed tries the pod is left alone
 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go addConditionAndDeletePod
 */
export function runPodDeletion(
	step: PodDeletionStep,
	api: ClusterApi,
	{podDisruptionConditions}: Pick<ControllerSettings, 'podDisruptionConditions'>,
): Next<PodDeletionStep> {
	switch (step.do) {
		case 'deletePod':
			return call({...step, do: podDisruptionConditions ? 'podRead' : 'podDeleted'});
		case 'podRead': {
			const pod = api.pod(step.pod);
			if (!pod) return again(step);
			return call({...step, do: pod.isDisruptionTarget ? 'podDeleted' : 'statusPatched'});
		}
		case 'statusPatched':
			if (api.markDisruptionTarget(step.pod) !== 'written') return again(step);
			return call({...step, do: 'podDeleted'});
		case 'podDeleted':
			return api.deletePod(step.pod) === 'written' ? done : again(step);
	}
}

function again({pod, attempt}: PodDeletionStep): Next<PodDeletionStep> {
	if (attempt === deletionAttempts) return failed;
	return sleep(retryAfter, {do: 'deletePod', pod, attempt: attempt + 1});
}
