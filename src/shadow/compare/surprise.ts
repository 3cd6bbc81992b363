import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Pod} from '../../core/model/pod.ts';
import {isNodeLifecycleTaint} from '../../core/model/taint.ts';
import {quarantineTime} from '../../core/podgc/garbage.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import {tolerance} from '../../forecast/ledger/prediction.ts';
import {tolerationOf} from '../../forecast/observe/countdowns/podTimers.ts';
import type {ClusterHistory} from './clusterHistory.ts';

/** An action so soon after its cause cannot be predicted. */
const reactionTime: Duration = 2 * second;
const maxDeletionDelay: Duration = 20 * second;

/**
 * Whether an unpredicted action contradicts the rules, given its cause; one that follows too fast for a forecast does not. A
 * deletion for a foreign taint counts as a surprise: no controller set that taint.
 */
export function isSurprise(
	action: ControllerAction,
	world: ClusterHistory,
	{nodeMonitorGracePeriod, comparisonOperators}: ControllerSettings,
) {
	const {at, node: name, pod} = action;
	switch (action.action) {
		case 'SetUnknown': {
			const renewal = world.renewals.get(name);
			return renewal !== undefined && at.hi < renewal.arrivedAt + nodeMonitorGracePeriod - tolerance;
		}
		case 'DeletePod': {
			const seen = seenToleration(action, world, comparisonOperators);
			if (!seen) return false;
			const {changed, toleration} = seen;
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

/** Whether a pod was deleted at once for a foreign taint that its node got while watched. */
export function isForForeignTaint(
	action: ControllerAction,
	world: ClusterHistory,
	{comparisonOperators}: ControllerSettings,
) {
	if (action.action !== 'DeletePod') return false;
	const seen = seenToleration(action, world, comparisonOperators);
	if (!seen) return false;
	const isAtOnce = action.at.lo - seen.changed.hi <= reactionTime + tolerance;
	return isAtOnce && isAtOnceForOther(seen.toleration);
}

/** How a deleted pod tolerated its node's taints, and when they changed; undefined if not seen, or if others may have deleted it. */
function seenToleration(
	{at, node: name, pod}: ControllerAction,
	world: ClusterHistory,
	comparisonOperators: boolean,
) {
	const [node, changed] = [world.store.nodes.get(name), world.taintsChangedAt.get(name)];
	if (!node || !pod || !changed || wasMarkedBefore(pod, at.lo)) return undefined;
	return {changed, toleration: tolerationOf(pod, noExecuteTaints(node), comparisonOperators)};
}

const isAtOnceForOther = (toleration: ReturnType<typeof tolerationOf>) =>
	toleration.type === 'limited' &&
	toleration.tolerated < reactionTime &&
	!isNodeLifecycleTaint(toleration.taint);

/** A pod whose deletion was denied stays marked: a later deletion may be somebody else's. */
const wasMarkedBefore = ({evictedAt}: Pod, at: Instant) =>
	evictedAt !== undefined && evictedAt < at - maxDeletionDelay;
