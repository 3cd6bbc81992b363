import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {AffectedNodes} from './affectedNodes.ts';
import {throttleDelayFor} from './countdowns/deletionThrottleDelay.ts';
import type {Evidence} from './evidence.ts';
import type {Leader} from './leader.ts';
import type {ObservedTime} from './observedTime.ts';
import {missingEvictions} from './reportedSettings.ts';

/** What the API showed up to one instant, and what it proves. */
export type Observed = {
	readonly now: Instant;
	readonly settings: ControllerSettings;
	/** As in `/version`; undefined where it is not known. */
	readonly kubernetesVersion: string | undefined;
	readonly evidence: Evidence;
	readonly leader: Leader;
	readonly affected: AffectedNodes;
	/** How long the deletions that are due already may keep each other waiting. */
	readonly delayOfDue: Duration;
	/** How many pods are due for long, where a taint-eviction controller that is switched off explains it; else zero. */
	readonly missingEvictions: number;
};

/** What was seen up to an instant, and the settings by which it is judged. */
export type ObservedState = Pick<Observed, 'evidence' | 'affected' | 'settings' | 'now'>;

/** Adds to what was observed directly what follows from it: who leads, what is due already, and what should be gone. */
export function observedOf(
	direct: Omit<Observed, 'leader' | 'delayOfDue' | 'missingEvictions'>,
	seen: ObservedTime,
): Observed {
	const {now, settings, evidence} = direct;
	const due = evidence.timers.dueBy(now);
	const delayOfDue = throttleDelayFor(due, settings.kubeApiQps, settings.kubeApiBurst);
	const leader = evidence.controllers.leader(now, seen);
	const missing = leader.type === 'running' ? missingEvictions(evidence, settings, now - delayOfDue) : 0;
	return {...direct, leader, delayOfDue, missingEvictions: missing};
}

/** Above so many pods, or nodes, an explanation is made of the last forecast. */
const [largeClusterPods, largeClusterNodes] = [10_000, 1000];

export const isLarge = ({pods, nodes}: Pick<Evidence, 'pods' | 'nodes'>): boolean =>
	pods.size > largeClusterPods || nodes.size > largeClusterNodes;
