import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {type Instant, never} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import type {Outcome} from './trajectory.ts';

/** A future taint that is removed again: only pods that tolerate it for a shorter time are deleted. */
export type BriefTaint = {
	readonly from: Instant;
	readonly to: Instant;
	/** Whether random order may give it to another node. */
	readonly isChance: boolean;
};

/**
 * The taints that are removed before the run ends, because the node is back or all evictions are stopped: for the node that
 * had one in the run, and for those that waited beside it and might have had it instead.
 */
export function briefTaints(
	outcome: Outcome,
	affected: AffectedNodes,
	settings: Pick<ControllerSettings, 'taintBasedEvictions'>,
): ReadonlyMap<string, readonly BriefTaint[]> {
	const taints = new Map<string, BriefTaint[]>();
	for (const one of affected.nodes) {
		for (const {from, to} of outcome.spells.get(one.node.name) ?? []) {
			if (to === undefined || !Number.isFinite(from)) continue;
			const contenders = contendersAt(from, zoneKey(one.node), outcome, affected, settings);
			const isChance = contenders.length > 1;
			for (const node of contenders) taints.set(node, [...(taints.get(node) ?? []), {from, to, isChance}]);
		}
	}
	return taints;
}

/** The nodes of a zone that wait for a taint when one is added. */
function contendersAt(
	instant: Instant,
	zone: string,
	outcome: Outcome,
	affected: AffectedNodes,
	settings: Pick<ControllerSettings, 'taintBasedEvictions'>,
): readonly string[] {
	return affected.nodes
		.filter((one) => {
			const {node} = one;
			const {name} = node;
			const isDown = !isReadyNode(node) || (outcome.unknown.get(name) ?? never) <= instant;
			const isTainted =
				hasEvictionStarted(one, affected.evictionStarts, settings) ||
				outcome.spells.get(name)?.some(({from}) => from < instant);
			return zoneKey(node) === zone && isDown && !isTainted;
		})
		.map(({node}) => node.name);
}
