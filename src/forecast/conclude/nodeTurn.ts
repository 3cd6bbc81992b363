import {type Duration, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type Merged, merge} from './merge.ts';

/** A throttled pass processes its nodes in batches: the next one may begin this much sooner or later than one list shows. */
const batchSlack: Duration = 1.5 * second;

/** How far the effects of a pass may be from the passes that were simulated. */
export const slackOf = ({throttledPass, phaseSpacing}: Simulated['passes']): Duration =>
	throttledPass ? Math.max(batchSlack, phaseSpacing) : phaseSpacing;

/** When a silent node is found not ready; undefined without the node lifecycle controller. */
export function turnsUnknown(
	{node}: Pick<NodeEvidence, 'node'>,
	situation: Pick<Simulated, 'settings' | 'passes' | 'runs' | 'leader'>,
): Merged | undefined {
	const {settings, passes, runs} = situation;
	if (!settings.nodeLifecycle) return undefined;
	const {range, happens} = merge(
		runs.map(({unknown}) => unknown.get(node.name)),
		slackOf(passes),
	);
	return {range: openWithoutLeader(range, situation), happens};
}

/** If no controllers run, it is unknown when others take over: ranges that depend on it have no end. */
export const openWithoutLeader = (range: Range | null, {leader}: Pick<Simulated, 'leader'>): Range | null =>
	range && leader.type === 'absent' ? range.until(null) : range;
