import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {type Instant, never} from '../../core/time/instant.ts';
import {type AffectedNodes, nodesIn} from '../observe/affectedNodes.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import type {Interval} from '../observe/interval.ts';
import type {Outcome} from './trajectory.ts';

/** A future taint that is removed again: only pods that tolerate it for a shorter time are deleted. */
export type BriefTaint = {
	readonly from: Instant;
	readonly to: Instant;
	/** Whether random order may give it to another node. */
	readonly isChance: boolean;
};

/** What decides which nodes wait for a taint in a run. */
type Waiting = Readonly<{
	outcome: Outcome;
	affected: AffectedNodes;
	settings: Pick<ControllerSettings, 'taintBasedEvictions'>;
	/** When a node turns Unknown, over all runs that try the same passes; undefined if it does not. */
	turnOf: (node: string) => Interval | undefined;
}>;

/**
 * The taints that are removed before the run ends, because the node is back or all evictions are stopped: for the node that
 * had one in the run, and for those that waited beside it and might have had it instead.
 */
export function briefTaints(waiting: Waiting): ReadonlyMap<string, readonly BriefTaint[]> {
	const {outcome, affected, turnOf} = waiting;
	const taints = new Map<string, BriefTaint[]>();
	for (const {node} of affected.nodes) {
		for (const {from, to} of outcome.spells.get(node.name) ?? []) {
			if (to === undefined || !Number.isFinite(from)) continue;
			// The node may join its queue later than in this run, together with others.
			const span = {lo: from, hi: Math.max(from, turnOf(node.name)?.hi ?? from)};
			const contenders = contendersIn(span, zoneKey(node), waiting).filter(({since}) => since < to);
			const isChance = contenders.length > 1;
			for (const {name, since} of contenders)
				taints.set(name, [...(taints.get(name) ?? []), {from: since, to, isChance}]);
		}
	}
	return taints;
}

/** The nodes of a zone that may wait when a taint is added, and since when they may have it. */
function contendersIn(
	{lo, hi}: Interval,
	zone: string,
	{outcome, affected, settings, turnOf}: Waiting,
): readonly {readonly name: string; readonly since: Instant}[] {
	return nodesIn(zone, affected).flatMap((one) => {
		const {node} = one;
		const {name} = node;
		const turn = Math.min(outcome.unknown.get(name) ?? never, turnOf(name)?.lo ?? never);
		const since = isReadyNode(node) ? Math.max(lo, turn) : lo;
		const isTainted =
			hasEvictionStarted(one, affected.evictionStarts, settings) ||
			outcome.spells.get(name)?.some(({from}) => from < lo);
		return since <= hi && !isTainted ? [{name, since}] : [];
	});
}
