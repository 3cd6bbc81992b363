import {isControlPlaneNode, isReadyNode} from '../../core/model/node.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Change} from '../simulate/change.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** How long another controller manager takes to get the lease: it expires after 15s, and is tried for every 2s. */
const takeoverTakes: Duration = 17 * second;

/** The node with the only controller manager: its loss stops everything. Undefined if another one would take over, or it is not known. */
export function onlyControllerHost(situation: Simulated): string | undefined {
	const {evidence, leader, now} = situation;
	if (leader.type !== 'running') return undefined;
	// No node's name has such a character.
	const [node = ''] = leader.holder.split('_');
	if (!evidence.nodes.has(node)) return undefined;
	const changes = withControllersLost([{type: 'nodeDown', node, at: now}], situation);
	return changes.length > 1 && changes.every(({type}) => type !== 'controllersStart') ? node : undefined;
}

/**
 * Adds the effect of losing the node that the controllers run on: none runs any more, or another one takes over if another
 * node of the control plane is ready and renews. Changes that name the controllers' fate are kept as they are.
 */
export function withControllersLost(
	changes: readonly Change[],
	{leader, evidence, now}: Pick<Simulated, 'leader' | 'evidence' | 'now'>,
): readonly Change[] {
	const isSaid = changes.some(({type}) => type === 'controllersDown' || type === 'controllersStart');
	if (leader.type !== 'running' || isSaid) return changes;
	const lost = changes.flatMap((change) => (change.type === 'nodeDown' ? change.node : []));
	// The holder's identity begins with the name of its host.
	const own = changes.find(
		(change) => change.type === 'nodeDown' && leader.holder.startsWith(`${change.node}_`),
	);
	const host = own?.type === 'nodeDown' ? evidence.nodes.get(own.node) : undefined;
	// Controllers that outlived their kubelet are not lost when it is silent.
	if (own?.type !== 'nodeDown' || !host || !isReadyNode(host.node) || isSilent(host, now)) return changes;
	const hasOthers = [...evidence.nodes.values()].some(
		(one) =>
			isControlPlaneNode(one.node) &&
			isReadyNode(one.node) &&
			!isSilent(one, now) &&
			!lost.includes(one.node.name),
	);
	const down: Change = {type: 'controllersDown', at: own.at, lostWith: own.node};
	const next: Change = {type: 'controllersStart', at: own.at + takeoverTakes};
	return [...changes, down, ...(hasOthers ? [next] : [])];
}
