import {zoneKey} from '../../../core/model/zone.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';
import {waitsForTaint} from './lifecycleTaint.ts';
import type {NodeEvidence} from './nodeEvidence.ts';

/** A node that was deleted: as it was last, and when it went. */
export type DeletedNode = {readonly one: NodeEvidence; readonly at: Interval};

/** The nodes of a zone that were deleted while they waited for their taint: their places in its queue are kept. */
export const deletedWhileWaiting = (zone: string, deleted: readonly DeletedNode[]): readonly DeletedNode[] =>
	deleted.filter(({one}) => zoneKey(one.node) === zone && waitsForTaint(one));

/** When a node of a zone was deleted. */
type ZoneDeletion = {readonly name: string; readonly zone: string; readonly at: Interval};

/** A zone's disruption is assumed to last no longer: somebody looks into it. */
const longestDisruption: Duration = 24 * 60 * minute;

/** Keeps the nodes whose deletion was seen: passes before it counted them. */
export class DeletedNodes {
	#nodes: readonly DeletedNode[] = [];
	#byZone: readonly ZoneDeletion[] = [];

	/** @param remembered how long the node's last state may matter */
	add(one: NodeEvidence, at: Interval, remembered: Duration): void {
		this.#nodes = [...this.since(at.hi - remembered), {one, at}];
		const kept = this.#byZone.filter((node) => node.at.hi > at.hi - longestDisruption);
		this.#byZone = [...kept, {name: one.node.name, zone: zoneKey(one.node), at}];
	}

	since(instant: Instant): readonly DeletedNode[] {
		return this.#nodes.filter(({at}) => at.hi > instant);
	}

	/** The deletions of each zone, for as long as a zone may be disrupted. */
	get byZone(): readonly ZoneDeletion[] {
		return this.#byZone;
	}
}
