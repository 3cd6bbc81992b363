import {zoneKey} from '../../src/core/model/zone.ts';
import type {Action} from './vector.ts';

/** The nodes at the start, from which an action's zone is derived. */
type Nodes = readonly {readonly name: string; readonly labels?: Readonly<Record<string, string>>}[];

/** Which actions are equivalent: if it is random which of a zone's nodes is next, names are ignored. */
export function actionKey(order: 'decided' | 'undecided', nodes: Nodes): (action: Action) => string {
	const zoneOf = new Map(nodes.map(({name, labels}) => [name, zoneKey({labels: labels ?? {}})]));
	return order === 'undecided'
		? ({kind, node, detail}) => [kind, zoneOf.get(node ?? '') ?? '', detail ?? ''].join(' ')
		: ({kind, node, pod, detail}) => [kind, node ?? '', pod ?? '', detail ?? ''].join(' ');
}
