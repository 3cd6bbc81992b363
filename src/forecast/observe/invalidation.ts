import type {ClusterEvent} from '../../core/model/clusterEvent.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import type {Change} from '../../store/change.ts';
import type {Evidence} from './evidence.ts';

/** What a change invalidates: nothing, a node with its pods, or possibly everything. */
export type Invalidated = 'nothing' | 'everything' | {readonly node: string};

/** How long the first pass of new controllers may take to take the taints off. */
const registering: Duration = minute;

/**
 * What a change that is not routine is about to change in a forecast that was just made. What happens to a node in trouble while it
 * stays in trouble (it turns Unknown, gets its taint, its pods are marked or deleted) is what that forecast foresaw:
 * the ranges of other nodes hold, though they may be narrower now.
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
