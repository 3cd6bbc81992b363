import type {Node} from '../../../core/model/node.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import {type Duration, type Instant, minute, never} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {waitsForTaint} from './lifecycleTaint.ts';
import type {NodeEvidence} from './nodeEvidence.ts';

/** A node that was deleted, moved to another zone, or began or ceased to count: its last state before, and when that ended. */
export type DeletedNode = {
	readonly one: NodeEvidence;
	readonly at: Interval;
	/** Whether it is still in its zone, and in the zone's queue. */
	readonly isInZone: boolean;
};

/** A node that was deleted, or left its zone, while it waited for its taint. It keeps its place in the zone's queue. */
export type DeletedWaiting = Readonly<{
	name: string;
	/** Undefined if the node was never seen: it may wait in any zone. */
	zone: string | undefined;
	at: Interval;
	/** The earliest start of its wait. */
	since: Instant;
}>;

/** The nodes that were seen to leave a zone while they waited for their taint. */
export const deletedWhileWaiting = (deleted: readonly DeletedNode[]): readonly DeletedWaiting[] =>
	deleted
		.filter(({one, isInZone}) => !isInZone && waitsForTaint(one))
		.map(({one: {node, readyChangedAt}, at}) => ({
			name: node.name,
			zone: zoneKey(node),
			at,
			since: readyChangedAt?.lo ?? never,
		}));

/**
 * By name, the zones that nodes left while they waited for their taint. The queues of these zones may taint them, and so may
 * those of their present zones. A node that was seen to be tainted twice waits in none.
 */
export function zonesLeftWaiting(
	deleted: readonly DeletedNode[],
	nodes: ReadonlyMap<string, NodeEvidence>,
): ReadonlyMap<string, readonly string[]> {
	const left = new Map<string, string[]>();
	for (const {one, isInZone} of deleted) {
		const {name, uid} = one.node;
		const now = nodes.get(name);
		if (isInZone || now?.node.uid !== uid || now.isTaintedAgain || !waitsForTaint(one)) continue;
		left.set(name, [...(left.get(name) ?? []), zoneKey(one.node)]);
	}
	return left;
}

type ZoneDeletion = {readonly name: string; readonly zone: string; readonly at: Interval};

/** A zone's disruption is assumed to last no longer than this. */
const longestDisruption: Duration = 24 * 60 * minute;

/** Keeps the nodes that were seen to be deleted, or to change how they count: earlier passes counted them as they were. */
export class DeletedNodes {
	#nodes: readonly DeletedNode[] = [];
	#byZone: readonly ZoneDeletion[] = [];

	/**
	 * @param remembered how long the node's last state may matter
	 * @param next the new state, if the node still exists
	 */
	add(one: NodeEvidence, at: Interval, remembered: Duration, next?: Node) {
		const isInZone = next !== undefined && zoneKey(next) === zoneKey(one.node);
		this.#nodes = [...this.since(at.hi - remembered), {one, at, isInZone}];
		const kept = this.#byZone.filter((node) => node.at.hi > at.hi - longestDisruption);
		this.#byZone = [...kept, {name: one.node.name, zone: zoneKey(one.node), at}];
	}

	since(instant: Instant): readonly DeletedNode[] {
		return this.#nodes.filter(({at}) => at.hi > instant);
	}

	/** Whether a node of this name was deleted or changed after an instant. */
	has(name: string, instant: Instant): boolean {
		return this.#nodes.some(({one, at}) => one.node.name === name && at.hi > instant);
	}

	/** The deletions of each zone, for as long as a zone may be disrupted. */
	get byZone(): readonly ZoneDeletion[] {
		return this.#byZone;
	}
}
