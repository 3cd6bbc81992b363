import {type Node, nodeCondition} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {Interval} from './interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {ownTaint} from './ownTaint.ts';

/** A node that was deleted: as it was last, and when it went. */
export type FormerNode = {readonly one: NodeEvidence; readonly at: Interval};

/** The nodes of a zone that were deleted while they waited for their taint: their places in its queue are kept. */
export const leftBehind = (zone: string, former: readonly FormerNode[]): readonly FormerNode[] =>
	former.filter(({one: {node}}) => zoneKey(node) === zone && isWaiting(node));

/** Whether a node that was deleted waited for its taint then. */
function isWaiting(node: Node): boolean {
	const status = nodeCondition(node, 'Ready')?.status;
	return (status === 'Unknown' || status === 'False') && !ownTaint(node);
}

/** Nodes that were seen to go: what a pass judged before that, it judged with them. */
export class FormerNodes {
	#nodes: readonly FormerNode[] = [];

	/** @param remembered how long it may matter */
	add(one: NodeEvidence, at: Interval, remembered: Duration): void {
		this.#nodes = [...this.since(at.hi - remembered), {one, at}];
	}

	since(instant: Instant): readonly FormerNode[] {
		return this.#nodes.filter(({at}) => at.hi > instant);
	}
}
