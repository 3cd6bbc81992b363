import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {unreachableTaint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from './affectedNodes.ts';
import {throttleDelayFor} from './countdowns/deletionThrottleDelay.ts';
import {tolerationOf} from './countdowns/podTimers.ts';
import type {Evidence} from './evidence.ts';
import {type Interval, shift} from './interval.ts';
import type {Leader} from './leader.ts';
import {isReadyAndAlive} from './nodes/nodeLiveness.ts';
import type {ObservedTime} from './observedTime.ts';
import {missingEvictions} from './reportedSettings.ts';

/** What the API showed up to one instant, and what it proves. */
export type Observed = Readonly<{
	now: Instant;
	settings: ControllerSettings;
	/** As in `/version`; undefined if unknown. */
	kubernetesVersion: string | undefined;
	evidence: Evidence;
	leader: Leader;
	affected: AffectedNodes;
	/** When pods are deleted again that were terminating already when the controllers started, or when their node was tainted. */
	deletionsAgain: readonly Interval[];
	/** How long the deletions that are already due may delay each other. */
	delayOfDue: Duration;
	/** How many pods are long overdue, if a disabled taint-eviction controller explains it; else zero. */
	missingEvictions: number;
}>;

/** The observations up to an instant, and the settings by which they are judged. */
export type ObservedState = Pick<Observed, 'evidence' | 'affected' | 'settings' | 'now'>;

/** Adds what follows from direct observations: who leads, what is due, and what should be gone. */
export function observedOf(
	direct: Omit<Observed, 'leader' | 'deletionsAgain' | 'delayOfDue' | 'missingEvictions'>,
	seen: ObservedTime,
): Observed {
	const {now, settings, evidence} = direct;
	const due = evidence.timers.dueBy(now);
	const again = deletionsAgain(direct);
	const delayWithAgain = throttleDelayFor(due + again.length, settings);
	// Those that were deleted again long ago delay nothing.
	const isBusy = again.some(({hi}) => hi <= now && now <= hi + delayWithAgain);
	const delayOfDue = isBusy ? delayWithAgain : throttleDelayFor(due, settings);
	const leader = evidence.controllers.leader(now, seen);
	// A deletion that is not watched may have come.
	const watchedUntil = seen.at(now);
	const missing =
		leader.type === 'running' ? missingEvictions(evidence, settings, watchedUntil - delayOfDue) : 0;
	return {...direct, leader, deletionsAgain: again, delayOfDue, missingEvictions: missing};
}

/** Above these numbers, an explanation is based on the last forecast. */
const [largeClusterPods, largeClusterNodes] = [10_000, 1000];

export const isLarge = ({pods, nodes}: Evidence) =>
	pods.size > largeClusterPods || nodes.size > largeClusterNodes;

/** How often new controllers delete a pod again that tolerates nothing: for itself, for its node, and for a taint that is rewritten. */
const timesAtOnce = 3;
/** A start or a taint longer ago delays no deletion. */
const recent: Duration = 10 * minute;

/**
 * When pods are deleted again that were terminating already when their countdowns began: with new controllers, or with a taint
 * that was written again. Each deletion takes calls of the same client.
 */
function deletionsAgain({evidence, affected, settings, now}: ObservedState): readonly Interval[] {
	const started = evidence.controllersStarted;
	if (settings.kubeApiQps <= 0 || !settings.taintEviction) return [];
	const isRecent = ({lo}: Interval) => now - lo <= recent;
	return affected.nodes
		.filter((one) => isRecent(one.taintedAt ?? started) || isRecent(started))
		.filter((one) => !isReadyAndAlive(one, now))
		.flatMap(({node, taintedAt}) => {
			const present = noExecuteTaints(node);
			// The first pass may just have taken its taint off.
			const taints = present.length > 0 ? present : [unreachableTaint];
			return evidence.pods.onNode(node.name).flatMap((pod) => {
				if (pod.deletionTimestamp === undefined) return [];
				const toleration = tolerationOf(pod, taints, settings.comparisonOperators);
				if (toleration.type !== 'limited') return [];
				const {tolerated} = toleration;
				const deletedAt = pod.deletionTimestamp - (pod.deletionGracePeriodSeconds ?? 0) * second;
				const times = deletedAt < started.hi ? (tolerated === 0 ? timesAtOnce : 1) : 0;
				const begun = new Array<Interval>(times).fill(started);
				// This taint may have caused a deletion of the same second.
				if (taintedAt && deletedAt + second <= taintedAt.lo) begun.push(taintedAt);
				return begun.filter(isRecent).map((at) => shift(at, tolerated));
			});
		});
}
