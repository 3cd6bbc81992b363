import type {ClusterApi} from '../client/clusterApi.ts';
import {done, failed, type Next} from '../client/routines.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import {isPodTerminal, type Pod} from '../model/pod.ts';

/** The removal of one pod: its phase is set to Failed, then it is deleted without a grace period. */
export type PodRemovalStep =
	| {readonly do: 'removePod'; readonly pod: Pod; readonly isOrphan: boolean}
	| {readonly do: 'podFailed'; readonly pod: Pod; readonly isOrphan: boolean}
	| {readonly do: 'podRemoved'; readonly pod: Pod};

/**
 * Does one step of a removal. An orphan's status gets the reason: DisruptionTarget, DeletionByPodGC.
 *
 * @quirk a pod that has finished is deleted without a word of why
 * @quirk a removal that fails is not tried again before the next pass
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go markFailedAndDeletePodWithCondition
 */
export function runPodRemoval(
	step: PodRemovalStep,
	{
		api,
		settings,
	}: {readonly api: ClusterApi; readonly settings: Pick<ControllerSettings, 'podDisruptionConditions'>},
): Next<PodRemovalStep> {
	switch (step.do) {
		case 'removePod':
			return isPodTerminal(step.pod) || !settings.podDisruptionConditions
				? {type: 'call', next: {do: 'podRemoved', pod: step.pod}}
				: {type: 'call', next: {...step, do: 'podFailed'}};
		case 'podFailed':
			if (api.failPod(step.pod, step.isOrphan) !== 'written') return failed;
			return {type: 'call', next: {do: 'podRemoved', pod: step.pod}};
		case 'podRemoved':
			return api.removePod(step.pod) === 'written' ? done : failed;
	}
}
