import type {Node} from '../model/node.ts';
import {formatTaint, type Taint} from '../model/taint.ts';
import type {ClusterEffect} from './effect.ts';

/** The changes from one version of a node to the next: statuses of conditions, and taints by key, value and effect. */
export function nodeEffects(before: Node, after: Node): readonly ClusterEffect[] {
	if (before.conditions === after.conditions && before.taints === after.taints) return [];
	return [...conditionEffects(before, after), ...taintEffects(before, after)];
}

function conditionEffects(before: Node, {name, conditions}: Node): readonly ClusterEffect[] {
	const statusBefore = new Map(before.conditions.map(({type, status}) => [type, status]));
	return conditions
		.filter(({type, status}) => statusBefore.get(type) !== status)
		.map(({type, status}) => ({type: 'nodeCondition', node: name, condition: type, status}));
}

function taintEffects(before: Node, after: Node): readonly ClusterEffect[] {
	const [old, young] = [distinct(before.taints), distinct(after.taints)];
	const added = [...young].filter(([text]) => !old.has(text));
	const removed = [...old].filter(([text]) => !young.has(text));
	return [
		...added.map(([, taint]): ClusterEffect => ({type: 'taintAdded', node: after.name, taint})),
		...removed.map(([, taint]): ClusterEffect => ({type: 'taintRemoved', node: after.name, taint})),
	];
}

const distinct = (taints: readonly Taint[]) => new Map(taints.map((taint) => [formatTaint(taint), taint]));
