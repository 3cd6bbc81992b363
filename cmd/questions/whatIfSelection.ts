import type {Selection} from '../../src/cluster/transport/selection.ts';
import {PodChooser} from '../../src/session/podChooser.ts';
import type {ChangeRequest} from './changeRequests.ts';

/** What is read to answer: what is in trouble, and what is to be changed. */
export function whatIfSelection(requests: readonly ChangeRequest[]): Selection {
	const zones = requests.flatMap((one) => ('zone' in one ? one.zone : []));
	const nodes = requests.flatMap((one) => ('node' in one ? one.node : []));
	const names = requests.flatMap((one) => ('pod' in one ? (one.pod.split('/').at(-1) ?? []) : []));
	const pods = names.length > 0 ? {named: {namespace: undefined, names}} : {};
	return {pods: {type: 'chosen', chooser: new PodChooser({nodes, zones}), ...pods}};
}
