import type {ScenarioNode, ScenarioPod, ScenarioStep} from '../../../support/scenario/scenario.ts';
import type {Draw} from './draw.ts';
import {aPod, maintenance, notReady, someTolerations, unreachable} from './randomPod.ts';

/** The cluster to which the steps apply. */
type Cluster = {
	readonly nodes: readonly ScenarioNode[];
	readonly pods: readonly ScenarioPod[];
	readonly zones: readonly string[];
	readonly labelsOf: (zone: string) => Readonly<Record<string, string>>;
	readonly until: number;
};

/** Draws the steps: mostly kubelets that stop and return; half of the outages begin with a zone's failure. */
export function stepsOf(cluster: Cluster, draw: Draw): readonly ScenarioStep[] {
	const alive = new Set(cluster.nodes.map(({name}) => name));
	const seconds = new Set(
		Array.from({length: 4 + draw.index(18)}, () => 12 + draw.index(cluster.until * 0.7)),
	);
	const times = [...seconds].toSorted((a, b) => a - b);
	const steps: ScenarioStep[] = [];
	const first = times[0] ?? 12;
	if (draw.oneIn(2)) {
		const zone = cluster.zones[draw.index(cluster.zones.length)] ?? '';
		for (const [index, {name}] of cluster.nodes.entries()) {
			if (!name.startsWith(zone) || draw.oneIn(5)) continue;
			alive.delete(name);
			steps.push({at: first + 0.37 + index * 0.011, do: 'stop-kubelet', node: name});
		}
	}
	let next = first + 1;
	for (const second of times) {
		if (second < next) continue;
		const drawn = aStep(second + 0.37, cluster, alive, draw);
		steps.push(...drawn);
		next = (drawn.at(-1)?.at ?? second) + 0.5;
	}
	return steps;
}

function aStep(at: number, cluster: Cluster, alive: Set<string>, draw: Draw): readonly ScenarioStep[] {
	const node = cluster.nodes[draw.index(cluster.nodes.length)]?.name ?? '';
	switch (draw.index(20)) {
		case 0:
		case 1:
			return [
				{
					at,
					do: 'add-taint',
					node,
					taint: {key: maintenance, value: draw.of(['', 'now']), effect: 'NoExecute'},
				},
			];
		case 2:
			return [{at, do: 'remove-taint', node, taint: {key: maintenance, effect: 'NoExecute'}}];
		case 3:
			return [
				{at, do: 'remove-taint', node, taint: {key: draw.of([notReady, unreachable]), effect: 'NoExecute'}},
			];
		case 4:
		case 5:
			return [
				{
					at,
					do: 'set-condition',
					node,
					condition: {type: 'Ready', status: draw.of(['False', 'False', 'True', 'Unknown'])},
				},
			];
		case 6:
			return [{at, do: draw.of(['cordon', 'uncordon']), node}];
		case 7:
			return [{at, do: 'set-labels', node, labels: cluster.labelsOf(draw.of(['a', 'b', 'd']))}];
		case 8:
			return [{at, do: 'add-pod', podSpec: aPod(`late-${Math.floor(at)}`, node, draw)}];
		case 9:
		case 10:
			return podStep(at, cluster, draw);
		case 11:
			if (!draw.oneIn(2)) return [];
			return [
				{at, do: 'stop-controllers'},
				{at: at + draw.index(40) + 0.21, do: 'start-controllers'},
			];
		default:
			if (alive.delete(node)) return [{at, do: 'stop-kubelet', node}];
			alive.add(node);
			return [{at, do: 'start-kubelet', node}];
	}
}

function podStep(at: number, {pods}: Cluster, draw: Draw): readonly ScenarioStep[] {
	const one = pods[draw.index(pods.length)];
	if (!one) return [];
	const pod = `default/${one.name}`;
	switch (draw.index(3)) {
		case 0:
			return [{at, do: 'delete-pod', pod}];
		case 1:
			return [{at, do: 'set-tolerations', pod, tolerations: someTolerations(draw)}];
		// The same name on the same node again, as with a StatefulSet.
		default:
			return [
				{at, do: 'delete-pod', pod},
				{at: at + 0.2, do: 'add-pod', podSpec: one},
			];
	}
}
