import {maxOf} from '../../core/collections/extremes.ts';
import {readyStatus} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Evidence} from '../observe/evidence.ts';
import {perCall, throttleWait} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';

/** A monitor pass in progress, throttled or not, as far as the API shows it. */
export type PassInProgress = {
	/** Its first transition. */
	readonly startedAt: Instant;
	/** The latest time of that, if it is a range. */
	readonly startedBy?: Instant;
	/** The nodes that it has not turned Unknown yet. */
	readonly remaining: readonly NodeEvidence[];
	/** Remaining nodes that it may have skipped, since their grace period was not over yet: the next pass takes them. */
	readonly passedBy: ReadonlySet<string>;
	/** The nodes that it has turned Unknown. */
	readonly marked: readonly NodeEvidence[];
	/** The pods of marked nodes that are still to be marked not ready, by node. */
	readonly marking: readonly (readonly Pod[])[];
	/** If not, it ends in a moment, or is over already. */
	readonly isThrottled: boolean;
	/** Whether it has been silent, and may have passed over all that are left: then the next one begins within a period. */
	readonly mayBeOver?: boolean;
};

/** The silent nodes that no pass has turned Unknown: ready ones, and ones that reported that they were not ready. */
export const unmarked = ({affected, now}: ObservedState): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isPosted(one) && isSilent(one, now));

/** The pods of nodes that are still to be marked not ready, by node. */
export function toBeMarked(nodes: readonly NodeEvidence[], {pods}: Evidence): readonly (readonly Pod[])[] {
	return nodes
		.map(({node}) => pods.onNode(node.name).filter(({ready}) => ready === 'True'))
		.filter((ofNode) => ofNode.length > 0);
}

/** A pod's status and its event; as many calls again may be for events of other pods that are still to be posted. */
export const callsForPod = 4;

/**
 * How much later than its node a pod may be marked not ready: the calls of a pass for silent nodes and their pods, and for the
 * events of both, wait for one client, in turn. For each pod of a node comes one call of every worker, and one for an event.
 */
export function markingLasts(observed: ObservedState): Duration {
	const {evidence, settings} = observed;
	const silent = toBeMarked(unmarked(observed), evidence);
	const pods = silent.map(({length}) => length);
	const all = 2 * pods.reduce((sum, one) => sum + one, silent.length);
	const ofOneNode = (1 + maxOf(pods, 0)) * (settings.monitorWorkers + 1);
	if (throttleWait(all, settings) === 0) return 0;
	return Math.min(all, ofOneNode) * perCall(settings);
}

const isPosted = ({node}: NodeEvidence) => ['True', 'False'].includes(readyStatus(node) ?? '');
