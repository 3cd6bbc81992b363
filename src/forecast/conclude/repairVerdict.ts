import {never} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {Range} from '../range.ts';
import {type Judgement, judged} from '../verdict.ts';
import type {Concluded} from './concluded.ts';

/** The repairs of a node, as ends of its pods. One that is not sure is expected never: it changes no pod that would stay. */
export const judgeRepairs = (one: NodeEvidence, {repairs}: Concluded): readonly Judgement[] =>
	repairs
		.of(one)
		.flatMap(({at, by, isSure, endsPods}) =>
			at && endsPods
				? judged(
						'Unsure',
						{kind: 'NodeRepair', by},
						new Range(at.earliest, isSure ? at.expected : never, null),
					)
				: [],
		);
