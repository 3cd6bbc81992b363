import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {unreachableTaint} from '../../../core/model/taint.ts';
import {noExecuteTaints} from '../../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import type {AffectedNodes} from '../affectedNodes.ts';
import type {Evidence} from '../evidence.ts';
import {type Interval, shift} from '../interval.ts';
import {isReadyAndAlive} from '../nodes/nodeLiveness.ts';
import {tolerationOf} from './podTimers.ts';

/** How often new controllers delete a pod again that tolerates nothing: for itself, for its node, and for a taint that is rewritten. */
const timesAtOnce = 3;
/** A start longer ago delays no deletion. */
const recent: Duration = 10 * minute;

/**
 * When new controllers delete pods again that were terminating already when they started: their countdowns begin anew as well,
 * and each deletion takes calls of the same client.
 */
export function deletionsAgain({
	evidence,
	affected,
	settings,
	now,
}: {
	readonly evidence: Pick<Evidence, 'controllersStarted' | 'pods'>;
	readonly affected: Pick<AffectedNodes, 'nodes'>;
	readonly settings: ControllerSettings;
	readonly now: Instant;
}): readonly Interval[] {
	const started = evidence.controllersStarted;
	if (settings.kubeApiQps <= 0 || !settings.taintEviction || now - started.lo > recent) return [];
	return affected.nodes
		.filter((one) => !isReadyAndAlive(one, now))
		.flatMap(({node}) => {
			const present = noExecuteTaints(node);
			// The first pass may just have taken its taint off.
			const taints = present.length > 0 ? present : [unreachableTaint];
			return evidence.pods.onNode(node.name).flatMap((pod) => {
				if (!wasDeletedBefore(pod, started)) return [];
				const toleration = tolerationOf(pod, taints, settings.comparisonOperators);
				if (toleration.type !== 'limited') return [];
				const {tolerated} = toleration;
				const times = tolerated === 0 ? timesAtOnce : 1;
				return new Array<Interval>(times).fill(shift(started, tolerated));
			});
		});
}

const wasDeletedBefore = ({deletionTimestamp, deletionGracePeriodSeconds = 0}: Pod, {hi}: Interval) =>
	deletionTimestamp !== undefined && deletionTimestamp - deletionGracePeriodSeconds * second < hi;
