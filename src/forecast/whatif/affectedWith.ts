import {zoneKey} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {namesOf} from '../observe/nodes/nodeEvidence.ts';
import {type Change, nodeOfChange} from '../simulate/change.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** The nodes that are simulated one by one when changes are supposed: affected nodes, and those that the changes affect. */
export function affectedWith(
	changes: readonly Change[],
	{affected, evidence, settings}: Simulated,
): AffectedNodes {
	const known = namesOf(affected.nodes);
	const names = new Set(changes.flatMap((change) => nodeOfChange(change) ?? []));
	const added = [...names].flatMap((name) => (known.has(name) ? [] : (evidence.nodes.get(name) ?? [])));
	const others = new Map(affected.others);
	for (const {node} of added) {
		if (isExcludedFromDisruptionChecks(node, settings)) continue;
		const zone = zoneKey(node);
		const {size, notReady} = others.get(zone) ?? {size: 1, notReady: 0};
		if (size > 1) others.set(zone, {size: size - 1, notReady});
		else others.delete(zone);
	}
	const nodes = [...affected.nodes, ...added].toSorted((a, b) => (a.node.name < b.node.name ? -1 : 1));
	return {...affected, nodes, others};
}
