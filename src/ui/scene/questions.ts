import type {Target} from '../../forecast/explain/explanation.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';

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

const isUp = (node: NodeForecast) => isWellNode(node) || node.verdict === 'Recovering';

/** What is made of the pod, the node or the zone that a target names; undefined if a forecast has none of that name. */
export function ofTarget<Made>(
	target: Target,
	{pods, nodes, zones}: Forecast,
	make: {
		readonly pod: (pod: PodForecast) => Made;
		readonly node: (node: NodeForecast) => Made;
		readonly zone: (zone: ZoneForecast) => Made;
	},
): Made | undefined {
	const {name} = target;
	if (target.kind === 'pod') {
		const pod = pods.find((one) => one.name === name && one.namespace === target.namespace);
		return pod && make.pod(pod);
	}
	if (target.kind === 'node') {
		const node = nodes.find((one) => one.name === name);
		return node && make.node(node);
	}
	const zone = zones.find((one) => one.zone === name);
	return zone && make.zone(zone);
}

export const nodesOfTarget = (target: Target, forecast: Forecast) =>
	ofTarget(target, forecast, {
		pod: (pod) => forecast.nodes.filter(({name}) => name === pod.node),
		node: (node) => [node],
		zone: ({zone}) => forecast.nodes.filter((node) => node.zone === zone),
	}) ?? [];

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
