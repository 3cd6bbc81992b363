import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Pod} from '../../core/model/pod.ts';
import {isNodeLifecycleTaint} from '../../core/model/taint.ts';
import {quarantineTime} from '../../core/podgc/nodeQuarantine.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import {tolerance} from '../../forecast/ledger/prediction.ts';
import {tolerationOf} from '../../forecast/observe/countdowns/podTimers.ts';
import type {ClusterHistory} from './clusterHistory.ts';

/** What comes so soon after its cause cannot have been predicted. */
const soon: Duration = 2 * second;
const aWhile: Duration = 20 * second;

/**
 * Whether something that nobody predicted contradicts the rules, by what led to it; what follows too fast for a forecast
 * is as it should be. A deletion for a taint that somebody else gave counts: no controller brought it about.
 */
export function isSurprise(
	action: ControllerAction,
	world: ClusterHistory,
	{nodeMonitorGracePeriod, comparisonOperators}: ControllerSettings,
): boolean {
	const {at, node: name, pod} = action;
	switch (action.action) {
		case 'SetUnknown': {
			const renewal = world.renewals.get(name);
			return renewal !== undefined && at.hi < renewal.arrivedAt + nodeMonitorGracePeriod - tolerance;
		}
		case 'DeletePod': {
			const [node, changed] = [world.nodes.get(name), world.taintsChangedAt.get(name)];
			if (!node || !pod || !changed || wasMarkedBefore(pod, at.lo)) return false;
			const taints = noExecuteTaints(node);
			const toleration = tolerationOf(pod, taints, comparisonOperators);
			if (toleration.type !== 'limited') return true;
			if (at.hi < changed.lo + toleration.tolerated - tolerance) return true;
			return isAtOnceForOther(toleration);
		}
		case 'DeletePodForDevice': {
			const when = pod && world.deviceEvictionOf(pod)?.when;
			return when !== undefined && at.hi < when - tolerance;
		}
		case 'CollectPod': {
			const gone = world.goneAt.get(name);
			return gone !== undefined && at.hi < gone.lo + quarantineTime - tolerance;
		}
		default:
			return true;
	}
}

/** Whether a pod went at once for a taint that the controllers do not give, which its node got while it was watched. */
export function isForSomebodysTaint(
	{action, at, node: name, pod}: ControllerAction,
	world: ClusterHistory,
	{comparisonOperators}: ControllerSettings,
): boolean {
	const [node, changed] = [world.nodes.get(name), world.taintsChangedAt.get(name)];
	if (action !== 'DeletePod' || !node || !pod || !changed || wasMarkedBefore(pod, at.lo)) return false;
	const toleration = tolerationOf(pod, noExecuteTaints(node), comparisonOperators);
	return at.lo - changed.hi <= soon + tolerance && isAtOnceForOther(toleration);
}

const isAtOnceForOther = (toleration: ReturnType<typeof tolerationOf>): boolean =>
	toleration.type === 'limited' && toleration.tolerated < soon && !isNodeLifecycleTaint(toleration.taint);

/** A pod whose deletion was denied stays marked: whoever deletes it a while later need not be the controllers. */
const wasMarkedBefore = ({evictedAt}: Pod, at: Instant): boolean =>
	evictedAt !== undefined && evictedAt < at - aWhile;
