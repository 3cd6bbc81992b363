import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {Range} from '../range.ts';
import type {Judgement} from '../verdict.ts';
import type {Concluded} from './concluded.ts';

/** The repairs of a node, as ends of its pods. The deletion of a machine may take any time. */
export const judgeRepairs = (one: NodeEvidence, {repairs}: Concluded): readonly Judgement[] =>
	repairs.of(one).flatMap(({at, by, isSure, endsPods}): readonly Judgement[] => {
		if (!at || !endsPods) return [];
		const eviction = new Range(at.earliest, at.expected, null);
		const cause = {kind: 'NodeRepair', by} as const;
		return [{verdict: 'Unsure', cause, eviction, held: null, ...(!isSure && {isDoubtful: true})}];
	});
