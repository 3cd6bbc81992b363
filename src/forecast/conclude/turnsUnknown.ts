import type {NodeEvidence} from '../observe/nodeEvidence.ts';
import type {Situation} from '../situation.ts';
import {type Merged, mergeUnknown} from './merge.ts';
import {batchSlack} from './passVerdict.ts';

/** When a silent node is found not ready; undefined where nobody finds out. */
export function turnsUnknown(
	{node}: Pick<NodeEvidence, 'node'>,
	{settings, ensemble}: Pick<Situation, 'settings' | 'ensemble'>,
): Merged | undefined {
	if (!settings.nodeLifecycle) return undefined;
	return mergeUnknown(ensemble, node.name, ensemble.runningPass ? batchSlack : ensemble.gap);
}
