import {never} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {Range} from '../range.ts';
import type {Concluded} from './concluded.ts';
import {type Judgement, judged, verdictOf} from './judgement.ts';

/** The judgement of a pod with the repair of its node, which competes with its other ends. */
export function withRepair(judgement: Judgement, one: NodeEvidence, {repairs}: Concluded): Judgement {
	const repair = repairs.of(one).find(({at, endsPods}) => at !== null && endsPods);
	// An uncertain repair does not change a pod that would stay, and is never the likeliest end.
	if (!repair?.at || (!repair.isSure && !judgement.eviction)) return judgement;
	const {at, by, isSure} = repair;
	const eviction = new Range(at.earliest, isSure ? at.expected : never, null);
	return verdictOf([judgement, judged('Unsure', {kind: 'NodeRepair', by}, eviction)]);
}
