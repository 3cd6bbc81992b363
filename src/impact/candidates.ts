import {mapBy} from '../core/collections/mapBy.ts';
import {unique} from '../core/collections/unique.ts';
import type {Node} from '../core/model/node.ts';
import type {NodesOfMany, Related} from '../core/model/workloads/related.ts';
import {isWellNode, type NodeForecast} from '../forecast/nodeForecast.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import {isReplaced} from './newPods.ts';
import {obstacleOn, wishesOf} from './placement.ts';

/** The candidates per template; few are enough, because few pods compete for them. */
const perTemplate = 20;
const mostTemplates = 20;

/** Some nodes that fit the pods to be replaced, regardless of room: the first ones found, taking turns between templates. */
export function candidateNodes(
	inTrouble: readonly PodForecast[],
	nodes: readonly NodeForecast[],
	controllers: Related['controllers'],
): NodesOfMany {
	const replaced = inTrouble.filter(isReplaced);
	const owners = new Set(replaced.flatMap(({owner}) => owner?.uid ?? []));
	const templates = mapBy(
		[...owners].flatMap((uid) => controllers.get(uid)?.template ?? []),
		wishesOf,
	);
	const well = scattered(nodes.filter(isWellNode).flatMap(({node}) => node ?? []));
	const fit = [...templates.values()].slice(0, mostTemplates).map((template) => {
		const names: string[] = [];
		for (const node of well)
			if (names.length < perTemplate && obstacleOn(node, template) === undefined) names.push(node.name);
		return names;
	});
	// Taking turns: a caller who reads only some of them reads some for every template.
	const chosen = Array.from({length: perTemplate}, (_, turn) => fit.flatMap((nodes) => nodes[turn] ?? []));
	return {candidates: unique(chosen.flat()), troubled: unique(replaced.map(({node}) => node))};
}

/** Nodes in an order independent of their names, because nodes with similar names may all be full. */
function scattered(nodes: readonly Node[]): readonly Node[] {
	return nodes.flatMap((_, index) => nodes[(index * stride) % nodes.length] ?? []);
}

/** A prime above the size of any cluster, so that it visits each index once; those in turn are far apart, whatever the size. */
const stride = 618_034_229;
