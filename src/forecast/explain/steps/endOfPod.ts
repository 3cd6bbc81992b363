import type {Pod} from '../../../core/model/pod.ts';
import {isOutOfService} from '../../../core/podgc/garbage.ts';
import {endOf, runtimeFailure} from '../../../core/workloads/podEnd.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../../observe/nodes/nodeLiveness.ts';
import type {Situation} from '../situation.ts';

/** What removes the object of a pod on an observed node. */
export const endOfPod = (pod: Pod, one: NodeEvidence, {now, settings}: Situation) =>
	endOf(pod, {
		isSilent: isSilent(one, now),
		isOutOfService: settings.nodeOutOfServiceVolumeDetach && isOutOfService(one.node),
		failure: runtimeFailure(one.node),
	});
