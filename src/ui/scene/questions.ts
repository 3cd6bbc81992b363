import type {Target} from '../../forecast/explain/explanation.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';

/** The questions about a row. For a pod they are about its node, for a zone about all of its nodes. */
export type QuestionKind =
	| 'rescue'
	| 'back'
	| 'down'
	| 'untaint'
	| 'outOfService'
	| 'delete'
	| 'controllersDown'
	| 'controllersRestart'
	/** Not a what-if: the current forecast as YAML. */
	| 'yaml';

export type MenuQuestion = {readonly kind: QuestionKind; readonly title: string};

const isUp = (node: NodeForecast): boolean => isWellNode(node) || node.verdict === 'Recovering';

export function nodesOfTarget(target: Target, {nodes, pods}: Forecast): readonly NodeForecast[] {
	const {name} = target;
	if (target.kind !== 'pod')
		return nodes.filter((node) => (target.kind === 'zone' ? node.zone : node.name) === name);
	const {namespace} = target;
	const own = pods.find((pod) => pod.name === name && pod.namespace === namespace)?.node;
	return nodes.filter((node) => node.name === own);
}

/** Splits these nodes into those that can fall silent and those that can come back. */
export function upAndDown(nodes: readonly NodeForecast[]) {
	return {up: nodes.filter(isUp), down: nodes.filter((node) => !isUp(node))};
}

/** The questions about a target, the likeliest first. */
export function questionsOf(target: Target, forecast: Forecast): readonly MenuQuestion[] {
	const nodes = nodesOfTarget(target, forecast);
	const {up, down} = upAndDown(nodes);
	const isZone = target.kind === 'zone';
	const it = isZone ? 'the zone' : target.kind === 'pod' ? `its node ${nodes[0]?.name ?? ''}` : 'the node';
	const isTainted = nodes.some(({taints}) => taints.length > 0);
	const all: readonly (readonly [boolean, QuestionKind, string])[] = [
		[target.kind === 'pod', 'rescue', 'what saves this pod, and until when'],
		[down.length > 0, 'back', `${it} comes back`],
		[up.length > 0, 'down', `${it} falls silent`],
		[
			isTainted,
			'untaint',
			isZone ? 'its NoExecute taints are taken off' : 'the NoExecute taint is taken off',
		],
		[!isZone && nodes.length > 0, 'outOfService', `${it} is tainted out-of-service`],
		[!isZone && nodes.length > 0, 'delete', `the Node object of ${it} is deleted`],
		[true, 'controllersRestart', 'the controller manager restarts'],
		[true, 'controllersDown', 'the controller manager stops'],
	];
	return all.flatMap(([isOffered, kind, title]) => (isOffered ? [{kind, title}] : []));
}
