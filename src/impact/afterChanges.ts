import type {Node} from '../core/model/node.ts';
import {matchesTaint, taintNotReady, taintUnreachable} from '../core/model/taint.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import {type Change, isUntainted, nodeOfChange} from '../forecast/simulate/change.ts';
import type {NodeChange, WhatIf} from '../forecast/whatif/whatIf.ts';

/** The pods and nodes of a forecast after the changes of a what-if. */
export function afterChanges(forecast: Forecast, {pods, nodes, changes}: WhatIf): Forecast {
	const changed = new Map(pods.map(({after}) => [`${after.namespace}/${after.name}`, after]));
	const edits = Map.groupBy(changes, (change) => nodeOfChange(change) ?? '');
	const ends = new Map(nodes.map((node) => [node.name, node]));
	return {
		...forecast,
		pods: forecast.pods.map((pod) => changed.get(`${pod.namespace}/${pod.name}`) ?? pod),
		nodes: forecast.nodes.flatMap(
			(node) => nodeAfter(node, ends.get(node.name), edits.get(node.name) ?? []) ?? [],
		),
	};
}

function nodeAfter(
	known: NodeForecast,
	end: NodeChange | undefined,
	changes: readonly Change[],
): NodeForecast | undefined {
	if (!end) return known;
	if (end.isGone) return undefined;
	const node = known.node ? {...known, node: changes.reduce(edited, known.node)} : known;
	if (end.isBack)
		return {
			...node,
			...(node.node && {node: withoutTrouble(node.node)}),
			...{verdict: 'Healthy', ready: 'True', unknown: null},
		};
	if (end.isNotReady && end.turnsAt) return {...node, verdict: 'Silent', unknown: end.turnsAt};
	return node;
}

/** Applies a change to a Node: new pods are scheduled by it. */
function edited(node: Node, change: Change): Node {
	if (change.type === 'cordon') return {...node, unschedulable: change.unschedulable};
	if (change.type === 'taint')
		return {
			...node,
			taints: [...node.taints.filter((one) => !matchesTaint(one, change.taint)), change.taint],
		};
	if (change.type === 'untaint')
		return {...node, taints: node.taints.filter((one) => !isUntainted(change, one))};
	return node;
}

/** A returned node, without the taints of the node lifecycle controller. */
const withoutTrouble = (node: Node): Node => ({
	...node,
	taints: node.taints.filter(({key}) => key !== taintNotReady && key !== taintUnreachable),
});
