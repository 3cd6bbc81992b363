import {
	kindAndName,
	type NamespacedWorkload,
	workloadKey,
	workloadKeyOf,
} from '../../core/model/workloads/workload.ts';
import type {Target} from '../../forecast/explain/explanation.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {ZoneForecast} from '../../forecast/zoneForecast.ts';

/** What questions may be about: also a workload, that is its pods. */
export type Subject = Target | Readonly<{kind: 'workload'; namespace: string; name: string; key: string}>;

export const subjectOfWorkload = (of: NamespacedWorkload): Subject => ({
	kind: 'workload',
	namespace: of.namespace,
	name: kindAndName(of),
	key: workloadKey(of),
});

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

/** The pods of a subject, in the order of the forecast. */
export const podsOf = (subject: Subject, {pods}: Pick<Forecast, 'pods'>): readonly PodForecast[] =>
	pods.filter((pod) => {
		switch (subject.kind) {
			case 'pod':
				return pod.name === subject.name && pod.namespace === subject.namespace;
			case 'workload':
				return workloadKeyOf(pod) === subject.key;
			default:
				return pod[subject.kind] === subject.name;
		}
	});

/** The nodes of a subject: those of its pods, if it is a pod or a workload. */
export function nodesOfSubject(subject: Subject, forecast: Forecast): readonly NodeForecast[] {
	const {kind, name} = subject;
	if (kind === 'node') return forecast.nodes.filter((node) => node.name === name);
	if (kind === 'zone') return forecast.nodes.filter(({zone}) => zone === name);
	const own = new Set(podsOf(subject, forecast).map(({node}) => node));
	return forecast.nodes.filter((node) => own.has(node.name));
}

/** Splits these nodes into those that can fall silent and those that can come back. */
export function upAndDown(nodes: readonly NodeForecast[]) {
	return {up: nodes.filter(isUp), down: nodes.filter((node) => !isUp(node))};
}

/** The questions about a subject, the likeliest first. */
export function questionsOf(subject: Subject, forecast: Forecast): readonly MenuQuestion[] {
	const {kind} = subject;
	const nodes = nodesOfSubject(subject, forecast);
	const {up, down} = upAndDown(nodes);
	const isZone = kind === 'zone' || nodes.length > 1;
	const it =
		kind === 'zone'
			? 'the zone'
			: kind === 'node'
				? 'the node'
				: isZone
					? `each of its ${nodes.length} nodes`
					: `its node ${nodes[0]?.name ?? ''}`;
	const isInTrouble = kind === 'pod' || podsOf(subject, forecast).some(({verdict}) => verdict !== 'Safe');
	const isTainted = nodes.some(({taints}) => taints.length > 0);
	const all: readonly (readonly [boolean, QuestionKind, string])[] = [
		[isInTrouble, 'rescue', `what saves ${kind === 'pod' ? 'this pod' : 'its pods'}, and until when`],
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
