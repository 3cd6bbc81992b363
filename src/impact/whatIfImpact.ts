import {mapBy} from '../core/collections/mapBy.ts';
import type {Node} from '../core/model/node.ts';
import {nameOf} from '../core/model/objectName.ts';
import {isPodTerminal, podKey} from '../core/model/pod.ts';
import {isNodeLifecycleTaint, matchesTaint} from '../core/model/taint.ts';
import type {Related} from '../core/model/workloads/related.ts';
import {workloadKey} from '../core/model/workloads/workload.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import {finish} from '../forecast/pausable.ts';
import {isLost} from '../forecast/podForecast.ts';
import {type Change, isUntainted, nodeOfChange} from '../forecast/simulate/change.ts';
import type {NodeChange, PodChange, WhatIf} from '../forecast/whatif/whatIf.ts';
import {hasSiblings} from './after.ts';
import {isBelowBudget, isOnlyBelowBudget} from './endpoints.ts';
import {type OutOfServicePreview, outOfServicePreviews} from './outOfService.ts';
import {podsWithAfterInSteps} from './withAfter.ts';
import {type WorkloadImpact, workloadImpacts} from './workloadImpact.ts';

/** A workload's impact before and after the change; undefined if it loses nothing. */
export type WorkloadChange = {
	readonly before: WorkloadImpact | undefined;
	readonly after: WorkloadImpact | undefined;
};

/** A what-if with its consequences for pods and workloads. */
export type WhatIfImpact = {
	readonly pods: readonly PodChange[];
	readonly workloads: readonly WorkloadChange[];
	/** One for each node that the what-if taints out-of-service. */
	readonly outOfService: readonly OutOfServicePreview[];
};

export const whatIfImpact = (forecast: Forecast, whatIf: WhatIf, related: Related): WhatIfImpact =>
	whatIfImpacts(forecast, related)(whatIf);

/** The same for several what-ifs of one forecast. */
export function whatIfImpacts(forecast: Forecast, related: Related): (whatIf: WhatIf) => WhatIfImpact {
	const told = (one: Forecast) => ({...one, pods: finish(podsWithAfterInSteps(one, related))});
	const before = told(forecast);
	const podsBefore = mapBy(before.pods, podKey);
	const impactsBefore = workloadImpacts(before, related);
	return (whatIf) => {
		const places = new Set([...whatIf.nodes.map(nameOf), ...whatIf.pods.map(({before: {node}}) => node)]);
		// Nothing follows for other pods that are safe.
		const looked = forecast.pods.filter(
			(pod) => pod.verdict !== 'Safe' || places.has(pod.node) || isLost(pod) || hasSiblings(pod),
		);
		const after = told(afterChanges({...forecast, pods: looked}, whatIf));
		const podsAfter = mapBy(after.pods, podKey);
		// Pods that have ended are left out: only their objects are deleted.
		const living = whatIf.pods.filter(({before: {phase}}) => !isPodTerminal({phase}));
		const pods = living.map((pod) => ({
			...pod,
			before: podsBefore.get(podKey(pod.before)) ?? pod.before,
			after: podsAfter.get(podKey(pod.after)) ?? pod.after,
		}));
		const workloads = workloadChanges(impactsBefore, workloadImpacts(after, related));
		return {pods, workloads, outOfService: outOfServicePreviews(forecast, whatIf, related)};
	};
}

function workloadChanges(
	before: readonly WorkloadImpact[],
	after: readonly WorkloadImpact[],
): readonly WorkloadChange[] {
	const [first, second] = [mapBy(before, workloadKey), mapBy(after, workloadKey)];
	const keys = new Set([...second.keys(), ...first.keys()]);
	return [...keys].map((key) => ({before: first.get(key), after: second.get(key)}));
}

/** The workloads that reach zero because of the changes. */
export const newlyAtZero = (workloads: readonly WorkloadChange[]) =>
	workloads.flatMap(({before, after}) => (after?.reachesZero && !before?.reachesZero ? after : []));

/** The workloads that fall below their budget by the changes, without reaching zero. */
export const newlyBelowBudget = (workloads: readonly WorkloadChange[]) =>
	workloads.flatMap(({before, after}) =>
		after && isOnlyBelowBudget(after) && !(before && isBelowBudget(before)) ? after : [],
	);

/** The workloads that lose more by the changes, and of which it is not known whether they reach zero. */
export const maybeAtZero = (workloads: readonly WorkloadChange[]) =>
	workloads.filter((one) => one.after?.reachesZero === null && isChanged(one));

/** Whether the changes affect a workload's losses. */
function isChanged({before, after}: WorkloadChange) {
	const text = (impact: WorkloadImpact | undefined) =>
		JSON.stringify([impact?.lowest, impact?.losses.length]);
	return text(before) !== text(after);
}

export function afterChanges(forecast: Forecast, {pods, nodes, changes}: WhatIf): Forecast {
	const changed = new Map(pods.map(({after}) => [podKey(after), after]));
	const edits = Map.groupBy(changes, (change) => nodeOfChange(change) ?? '');
	const ends = mapBy(nodes, nameOf);
	return {
		...forecast,
		pods: forecast.pods.map((pod) => changed.get(podKey(pod)) ?? pod),
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
			verdict: 'Healthy',
			ready: 'True',
			unknown: null,
		};
	// Nobody is there to set it Unknown, nor its pods not ready.
	if (end.isUnnoticed) return {...node, unknown: null};
	if (!end.isNotReady || !end.turnsAt) return node;
	// What differs by the doubt about the hidden state only, is the same.
	const unknown = known.unknown?.covers(end.turnsAt) ? known.unknown : end.turnsAt;
	return {...node, verdict: 'Silent', unknown};
}

/** Applies a change to a Node, for the scheduling of new pods. */
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
	taints: node.taints.filter((taint) => !isNodeLifecycleTaint(taint)),
});
