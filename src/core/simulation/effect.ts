import {mapBy} from '../collections/mapBy.ts';
import type {ConditionStatus, Node} from '../model/node.ts';
import {formatTaint, type Taint} from '../model/taint.ts';
import type {Instant} from '../time/instant.ts';

/** A change in the simulated cluster, made by the controllers or by others. */
export type ClusterEffect =
	| Readonly<{
			type: 'nodeCondition';
			node: string;
			condition: string;
			status: ConditionStatus;
	  }>
	| {readonly type: 'taintAdded' | 'taintRemoved'; readonly node: string; readonly taint: Taint}
	| {readonly type: 'labelsChanged'; readonly node: string}
	| Readonly<{
			type: 'podCondition';
			pod: string;
			node: string;
			ready: ConditionStatus;
	  }>
	/** `again`: the pod was Terminating already. */
	| Readonly<{
			type: 'podDeleted';
			pod: string;
			node: string;
			again: boolean;
	  }>
	/** The node lifecycle controller deletes the pods of a node itself (until 1.26, without taints). */
	| {readonly type: 'nodeEvicted'; readonly node: string}
	/** Derived from its event, which is posted once per pod and controller process. */
	| {readonly type: 'evictionCancelled'; readonly pod: string};

export type TimedEffect = {readonly at: Instant; readonly effect: ClusterEffect};

/** The changes between two versions of a node: statuses of conditions, and taints by key, value and effect. */
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
	const [old, young] = [mapBy(before.taints, formatTaint), mapBy(after.taints, formatTaint)];
	const added = [...young].filter(([text]) => !old.has(text));
	const removed = [...old].filter(([text]) => !young.has(text));
	return [
		...added.map(([, taint]): ClusterEffect => ({type: 'taintAdded', node: after.name, taint})),
		...removed.map(([, taint]): ClusterEffect => ({type: 'taintRemoved', node: after.name, taint})),
	];
}
