import {isControlPlaneNode, isReadyNode} from '../../core/model/node.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Change} from '../simulate/change.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** Another controller manager takes the lease that is not renewed: it lasts 15s, and is tried for every 2s. */
const takeoverTakes: Duration = 17 * second;

/**
 * Adds to changes what the loss of the node does that the controllers run on: none runs any more, or another one takes over where
 * another node of the control plane is ready. Whoever says what becomes of the controllers has the last word.
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
	// Controllers that outlived their kubelet are not lost by its silence.
	if (own?.type !== 'nodeDown' || !host || !isReadyNode(host.node) || isSilent(host, now)) return changes;
	const hasOthers = [...evidence.nodes.values()].some(
		({node}) => isControlPlaneNode(node) && isReadyNode(node) && !lost.includes(node.name),
	);
	const down: Change = {type: 'controllersDown', at: own.at, lostWith: own.node};
	const next: Change = {type: 'controllersStart', at: own.at + takeoverTakes};
	return [...changes, down, ...(hasOthers ? [next] : [])];
}
