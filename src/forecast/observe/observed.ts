import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {AffectedNodes} from './affectedNodes.ts';
import {deletionsAgain} from './countdowns/deletedAgain.ts';
import {throttleDelayFor} from './countdowns/deletionThrottleDelay.ts';
import type {Evidence} from './evidence.ts';
import type {Interval} from './interval.ts';
import type {Leader} from './leader.ts';
import type {ObservedTime} from './observedTime.ts';
import {missingEvictions} from './reportedSettings.ts';

/** What the API showed up to one instant, and what it proves. */
export type Observed = {
	readonly now: Instant;
	readonly settings: ControllerSettings;
	/** As in `/version`; undefined if unknown. */
	readonly kubernetesVersion: string | undefined;
	readonly evidence: Evidence;
	readonly leader: Leader;
	readonly affected: AffectedNodes;
	/** When the controllers, which are new, delete pods again that were terminating when they started. */
	readonly deletionsAgain: readonly Interval[];
	/** How long the deletions that are already due may delay each other. */
	readonly delayOfDue: Duration;
	/** How many pods are long overdue, if a disabled taint-eviction controller explains it; else zero. */
	readonly missingEvictions: number;
};

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

export const isLarge = ({pods, nodes}: Pick<Evidence, 'pods' | 'nodes'>): boolean =>
	pods.size > largeClusterPods || nodes.size > largeClusterNodes;
