import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {nodeCondition} from '../../core/model/node.ts';
import type {NodeLifecycleController} from '../../core/nodelifecycle/nodeLifecycleController.ts';
import type {RateLimitedTimedQueue} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Random} from '../../core/time/random.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {type PassSchedule, passAtOrAfter} from './passSchedule.ts';

/** What the queue of a zone is derived from where evictions come without taints. */
type ZoneEvictions = {
	readonly lifecycle: NodeLifecycleController;
	readonly queue: RateLimitedTimedQueue;
	readonly last: Instant;
	readonly quantile: number;
	readonly schedule: PassSchedule;
	readonly affected: AffectedNodes;
	readonly settings: ControllerSettings;
	readonly random: Random;
};

/**
 * Puts a zone's queue into the state that the last pass left, for evictions without taints. Nodes whose timeout had ended
 * wait in the order in which it ended, unless their pods are deleted already.
 *
 * @param down the zone's nodes that the last pass knew not to be ready
 * @returns since when each node waits that shows by its pods that it does
 */
export function adoptEvictions(
	down: readonly NodeEvidence[],
	{lifecycle, queue, last, quantile, schedule, affected, settings, random}: ZoneEvictions,
): readonly Instant[] {
	const joined = down
		.flatMap((one) => {
			const due = dueOf(one, lifecycle, settings);
			return due !== undefined && due < last ? [{one, at: Math.min(last, passAtOrAfter(schedule, due))}] : [];
		})
		.toSorted((a, b) => a.at - b.at);
	const waitingSince: Instant[] = [];
	for (const {one, at} of joined) {
		const {name} = one.node;
		lifecycle.evictions.register(name);
		queue.add(name, at, random);
		// An eviction without a trace may be over, or still to come.
		const isOver =
			hasEvictionStarted(one, affected.evictionStarts, settings) ||
			(affected.traceless.has(one.node.name) && quantile < 0.5);
		lifecycle.evictions.set(name, isOver ? 'evicted' : 'toBeEvicted');
		if (isOver) queue.processed({value: name, addedAt: at, processAt: at, ticket: 0});
		else if (!affected.traceless.has(one.node.name)) waitingSince.push(at);
	}
	for (const one of down) {
		if (!hasEvictionStarted(one, affected.evictionStarts, settings)) continue;
		const {name} = one.node;
		lifecycle.evictions.register(name);
		lifecycle.evictions.set(name, 'evicted');
		if (queue.add(name, last, random))
			queue.processed({value: name, addedAt: last, processAt: last, ticket: 0});
	}
	return waitingSince;
}

/** When a node's eviction timeout ends, by what the controller remembers of it; undefined where it is ready. */
function dueOf(
	{node}: NodeEvidence,
	{health}: NodeLifecycleController,
	{podEvictionTimeout}: ControllerSettings,
): Instant | undefined {
	const remembered = health.get(node.name);
	const status = nodeCondition(node, 'Ready')?.status;
	if (!remembered || status === undefined || status === 'True') return undefined;
	const since = status === 'Unknown' ? remembered.probeTimestamp : remembered.readyTransitionTimestamp;
	return since + podEvictionTimeout;
}
