import {type Node, nodeCondition} from '../../../core/model/node.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {ownTaint} from '../ownTaint.ts';
import type {NodeEvidence} from './nodeEvidence.ts';

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

/** A node that was deleted, as far as its zone goes. */
export type MissingNode = {readonly name: string; readonly zone: string; readonly at: Interval};

/** A disruption of a zone that lasts longer than this has been looked into by somebody. */
const disruptionsLast: Duration = 24 * 60 * minute;

/** Nodes that were seen to go: what a pass judged before that, it judged with them. */
export class FormerNodes {
	#nodes: readonly FormerNode[] = [];
	#missing: readonly MissingNode[] = [];

	/** @param remembered how long it may matter how the node was */
	add(one: NodeEvidence, at: Interval, remembered: Duration): void {
		this.#nodes = [...this.since(at.hi - remembered), {one, at}];
		const kept = this.#missing.filter((node) => node.at.hi > at.hi - disruptionsLast);
		this.#missing = [...kept, {name: one.node.name, zone: zoneKey(one.node), at}];
	}

	since(instant: Instant): readonly FormerNode[] {
		return this.#nodes.filter(({at}) => at.hi > instant);
	}

	/** The zones that they left, for as long as a zone may be disrupted. */
	get missing(): readonly MissingNode[] {
		return this.#missing;
	}
}
