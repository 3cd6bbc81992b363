import type {Pod} from '../../core/model/pod.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {Range} from '../range.ts';
import type {Concluded} from './concluded.ts';
import type {Judgement} from './judgement.ts';

/** The judgement of a pod when the repair of its node competes with its taints. */
export function withRepair(
	judgement: Judgement,
	pod: Pod,
	one: NodeEvidence,
	situation: Concluded,
): Judgement {
	const {verdict, eviction} = judgement;
	if (verdict === 'Terminating' || verdict === 'Overdue' || pod.deletionTimestamp !== undefined)
		return judgement;
	const repair = situation.repairs.of(one).find(({at, endsPods}) => at !== null && endsPods);
	if (!repair?.at) return judgement;
	const {at, by, isSure} = repair;
	const cause = {kind: 'NodeRepair', by} as const;
	if (!eviction) {
		// An uncertain repair does not change a pod that would stay.
		if (!isSure) return judgement;
		return {verdict: 'Unsure', eviction: new Range(at.earliest, at.expected, null), cause, held: null};
	}
	if (eviction.latest !== null && eviction.latest <= at.earliest) return judgement;
	const isFirst = isSure && at.expected < eviction.expected;
	return {
		...judgement,
		eviction: new Range(
			Math.min(eviction.earliest, at.earliest),
			isFirst ? at.expected : eviction.expected,
			eviction.latest,
		),
		...(isFirst && {cause, withoutRepair: {eviction, cause: judgement.cause}}),
	};
}
