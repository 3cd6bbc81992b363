import type {Node} from '../../../core/model/node.ts';
import type {Machine, NodeClaim} from '../../../core/model/repairObject.ts';
import {poolLabel} from '../../../core/noderepair/karpenter.ts';
import {endMarkOf} from '../../../core/noderepair/nodeRepair.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {NodeRepair} from '../../nodeForecast.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isReadyAndAlive} from '../../observe/nodes/nodeLiveness.ts';
import {Range} from '../../range.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import {clockTime} from '../../words.ts';
import {cloudDeletion, nodeEnd, podsFollow} from './cloudDeletion.ts';

/** The ends of a node that have already begun, and what its cloud does to it. */
export function underWay(
	one: NodeEvidence,
	objects: readonly (NodeClaim | Machine)[],
	simulated: Simulated,
): readonly NodeRepair[] {
	const {node} = one;
	const {now} = simulated;
	const mark = endMarkOf(node);
	return [
		node.deletionTimestamp === undefined ? undefined : deletionOf(node, node.deletionTimestamp, now),
		cloudDeletion(one, simulated),
		mark &&
			begun(
				mark.by,
				`its mark ${mark.mark} says so: ${mark.by} may evict its pods, or stop or delete its machine, at any time`,
				now,
			),
		...objects.map((object) => {
			const {kind, name} = object;
			// Of a node that is well it belongs to no outage.
			if (object.deletionTimestamp === undefined)
				return isReadyAndAlive(one, now) ? undefined : expiryOf(object, now);
			const why = `the ${kind} of node ${node.name} is being deleted: its pods go, then its machine and the Node`;
			return begun(`${kind} ${name}`, why, now);
		}),
	].filter((end) => end !== undefined);
}

/** An expiry that is farther ahead is not told: an outage is over before. */
export const foreseenFor: Duration = 60 * minute;

/** @upstream sigs.k8s.io/karpenter v1.14.1 pkg/controllers/nodeclaim/expiration/controller.go Reconcile */
function expiryOf(object: NodeClaim | Machine, now: Instant): NodeRepair | undefined {
	if (object.kind === 'Machine' || object.expiresAt === undefined) return undefined;
	const {name, expiresAt} = object;
	const why = `NodeClaim ${name} expires at ${clockTime(expiresAt)} (expireAfter): Karpenter then evicts the pods of its node and deletes it, however healthy it is, and whatever its disruption budgets allow`;
	return begun(`NodeClaim ${name}`, why, Math.max(now, expiresAt));
}

/** An end that takes the node's pods along from now on. */
const begun = (by: string, why: string, now: Instant): NodeRepair => ({
	by,
	why,
	isSure: true,
	endsPods: true,
	at: new Range(now, now, null),
});

/** The deletion of a Node that its finalizers hold. Karpenter's has the node drained first. */
function deletionOf({labels, finalizers = []}: Node, since: Instant, now: Instant): NodeRepair {
	const by = 'whoever deleted its Node';
	const why = `its Node has been deleted since ${clockTime(since)}, and goes once its finalizers are off (${finalizers.join(', ')})`;
	return labels[poolLabel] === undefined
		? {...begun(by, `${why}: ${podsFollow}`, now), ...nodeEnd(since, now)}
		: begun(by, `${why}: Karpenter evicts its pods before`, now);
}
