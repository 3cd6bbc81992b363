import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import type {Judgement} from '../../verdict.ts';
import type {Concluded} from '../concluded.ts';

/**
 * The repairs of a node, as ends of its pods. The deletion of a machine may take any time.
 *
 * @param hasTimer whether a countdown runs, which goes on without its Node
 */
export const judgeRepairs = (
	one: NodeEvidence,
	{repairs}: Concluded,
	hasTimer: boolean,
): readonly Judgement[] =>
	repairs.of(one).flatMap(({at, by, isSure, endsPods, endsNode, isRepair}): readonly Judgement[] => {
		if (!at || !endsPods) return [];
		const cause = {kind: isRepair ? 'NodeRepair' : 'NodeRemoval', by} as const;
		const how = {...(!isSure && {isDoubtful: true}), ...(endsNode && !hasTimer && {endsNode})};
		return [{verdict: 'Unsure', cause, eviction: at.until(null), held: null, ...how}];
	});
