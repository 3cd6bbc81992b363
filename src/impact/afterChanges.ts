import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import type {NodeChange, WhatIf} from '../forecast/whatif/whatIf.ts';

/** The forecast that there would be after changes, as far as what follows of it is concerned: its pods and nodes. */
export function afterChanges(forecast: Forecast, {pods, nodes}: WhatIf): Forecast {
	const changed = new Map(pods.map(({after}) => [`${after.namespace}/${after.name}`, after]));
	const ends = new Map(nodes.map((node) => [node.name, node]));
	return {
		...forecast,
		pods: forecast.pods.map((pod) => changed.get(`${pod.namespace}/${pod.name}`) ?? pod),
		nodes: forecast.nodes.flatMap((node) => nodeAfter(node, ends.get(node.name)) ?? []),
	};
}

function nodeAfter(node: NodeForecast, end: NodeChange | undefined): NodeForecast | undefined {
	if (!end) return node;
	if (end.isGone) return undefined;
	if (end.isBack) return {...node, verdict: 'Healthy', ready: 'True', unknown: null};
	if (end.isNotReady && end.turnsAt) return {...node, verdict: 'Silent', unknown: end.turnsAt};
	return node;
}
