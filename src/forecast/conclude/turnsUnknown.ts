import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type Merged, mergeUnknown} from './merge.ts';
import {batchSlack} from './passVerdict.ts';

/** When a silent node is found not ready; undefined where nobody finds out. */
export function turnsUnknown(
	{node}: Pick<NodeEvidence, 'node'>,
	{settings, passes, runs}: Pick<Simulated, 'settings' | 'passes' | 'runs'>,
): Merged | undefined {
	if (!settings.nodeLifecycle) return undefined;
	return mergeUnknown(runs, node.name, passes.throttledPass ? batchSlack : passes.gap);
}
