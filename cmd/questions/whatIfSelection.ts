import type {NodeChooser, Selection} from '../../src/cluster/transport/selection.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import {zoneKey, zoneLabel} from '../../src/core/model/zone.ts';
import {TroubledNodes} from '../sources/troubledNodes.ts';
import type {ChangeRequest} from './changeRequests.ts';

/** What is read to answer: what is in trouble, and what is to be changed. */
export function whatIfSelection(requests: readonly ChangeRequest[]): Selection {
	const finder = new TroubledNodes();
	const zones = new Set(requests.flatMap((one) => ('zone' in one ? one.zone : [])));
	const named = new Set(requests.flatMap((one) => ('node' in one ? one.node : [])));
	const chooser: NodeChooser = {
		observe: (observations: readonly Observation[], arrivedAt) => {
			for (const one of observations)
				if (one.type === 'nodeApplied' && zones.has(zoneLabel(zoneKey(one.node)))) named.add(one.node.name);
			finder.observe(observations, arrivedAt);
		},
		wanted: (now) => [...new Set([...finder.wanted(now), ...named])],
	};
	const names = requests.flatMap((one) => ('pod' in one ? (one.pod.split('/').at(-1) ?? []) : []));
	const pods = names.length > 0 ? {named: {namespace: undefined, names}} : {};
	return {pods: {type: 'chosen', chooser, ...pods}};
}
