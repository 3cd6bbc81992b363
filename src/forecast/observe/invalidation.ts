import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import {isControllerManagerLease} from '../../core/model/lease.ts';
import {isReadyNode} from '../../core/model/node.ts';
import type {Observation} from '../../core/model/observation.ts';
import {withKnownZoneLabels, zoneKey} from '../../core/model/zone.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import type {Change} from '../../store/change.ts';
import type {Evidence} from './evidence.ts';

/** Whether an observation shows only that a healthy node is still alive. */
export function isRoutine(observation: Observation, evidence: Evidence, now: Instant): boolean {
	if (observation.type === 'leaseApplied') {
		if (isControllerManagerLease(observation.lease)) return evidence.isSameLeader(observation.lease);
		const known = evidence.nodes.get(observation.lease.name);
		return known !== undefined && !evidence.isAffected(known, now);
	}
	if (observation.type === 'eventDeleted') return true;
	if (observation.type !== 'nodeApplied') return false;
	const node = withKnownZoneLabels(observation.node, evidence.settings);
	const known = evidence.nodes.get(node.name);
	if (!known || evidence.isAffected(known, now)) return false;
	const next = {...known, node, heartbeatAt: {lo: now, hi: now}};
	return !evidence.isAffected(next, now) && zoneKey(known.node) === zoneKey(node);
}

/** What a change invalidates: nothing, a node with its pods, or possibly everything. */
export type Invalidated = 'nothing' | 'everything' | {readonly node: string};

/** How long the first pass of new controllers may take to take the taints off. */
const registering: Duration = minute;

/**
 * Says which part of the last forecast a change that is not routine invalidates. While a node stays in trouble, what
 * happens to it (it turns Unknown, gets its taint, its pods are marked or deleted) was forecast: the ranges of other
 * nodes still hold, though they may be narrower now.
 *
 * @param evidence as it was before the change
 */
export function invalidatedBy(change: Change, evidence: Evidence, now: Instant): Invalidated {
	switch (change.type) {
		case 'nodeApplied': {
			const known = evidence.nodes.get(change.node.name);
			const staysInTrouble =
				known !== undefined &&
				evidence.isAffected(known, now) &&
				!isReadyNode(change.node) &&
				zoneKey(known.node) === zoneKey(change.node);
			return staysInTrouble ? {node: known.node.name} : 'everything';
		}
		case 'podApplied': {
			const {nodeName} = change.pod;
			const before = change.before?.nodeName ?? nodeName;
			return before === nodeName && evidence.nodes.has(nodeName) ? {node: nodeName} : 'everything';
		}
		case 'podDeleted': {
			const before = change.before?.nodeName;
			return before !== undefined && evidence.nodes.has(before) ? {node: before} : 'everything';
		}
		case 'eventApplied':
			return invalidatedByEvent(change.event, evidence);
		default:
			return 'everything';
	}
}

function invalidatedByEvent({reason, about, first}: ClusterEvent, evidence: Evidence): Invalidated {
	switch (reason) {
		case 'RegisteredNode': {
			// Of those that new controllers register, the first tell all; the rest come as their turn comes.
			const start = evidence.firstPass?.first.at;
			return start && first.at >= start.lo && first.at < start.hi + registering ? 'nothing' : 'everything';
		}
		case 'NodeNotReady':
		case 'DeletingAllPods':
			return evidence.nodes.has(about) ? {node: about} : 'nothing';
		default: {
			const node = evidence.pods.get(about)?.nodeName;
			return node !== undefined && evidence.nodes.has(node) ? {node} : 'nothing';
		}
	}
}
