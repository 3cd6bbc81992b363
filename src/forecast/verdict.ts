import {ascending} from '../core/collections/ascending.ts';
import {minOf} from '../core/collections/extremes.ts';
import {never} from '../core/time/instant.ts';
import type {Cause, Coming, Held, PodForecast, PodVerdict} from './podForecast.ts';
import {Range} from './range.ts';

/** One way in which a pod may end, or several, judged: the parts of its forecast that its verdict decides. */
export type Judgement = Pick<PodForecast, 'verdict' | 'eviction' | 'cause' | 'held' | 'endings'> &
	Pick<Coming, 'isDoubtful' | 'endsNode'>;

/** A verdict, and what it rests on: nothing, unless it is given. */
export const judged = (
	verdict: PodVerdict,
	cause: Cause | null = null,
	eviction: Range | null = null,
	held: Held | null = null,
): Judgement => ({verdict, eviction, cause, held});

/** What may end a pod by one judgement. */
export const endingsIn = ({eviction, endings, ...one}: Judgement): readonly Coming[] =>
	endings ?? (eviction ? [{...one, eviction}] : []);

/**
 * The verdict of a pod that may end in several ways: the first to come is shown, and the pod has ended once one of them has surely
 * come. If none comes, what holds the pod is shown, or the first of them. One that is doubtful is never shown: it may only come
 * before the others, or instead of them.
 */
export function verdictOf(all: readonly (Judgement | undefined)[]): Judgement {
	const judgements = all.filter((one) => one !== undefined);
	const decided = judgements.find(({verdict}) => verdict === 'Terminating' || verdict === 'Overdue');
	if (decided) return decided;
	const endings = judgements.flatMap(endingsIn).toSorted(ascending(({eviction}) => eviction.expected));
	const likely = endings.filter(({isDoubtful}) => !isDoubtful);
	const [first] = likely;
	if (!first) return judgements.find(({held}) => held) ?? judgements[0] ?? judged('Safe');
	if (endings.length === 1) return first;
	// Without its Node it may get no taint.
	const mayLoseNode = endings.some(({endsNode}) => endsNode);
	const sure = mayLoseNode
		? []
		: endings.filter(({verdict, eviction}) => verdict !== 'Unsure' && eviction.latest !== null);
	const ofLikely = likely.reduce((all, {eviction}) => all.orSooner(eviction, []), first.eviction.until(null));
	const earliest = minOf(endings.map(({eviction}) => eviction.earliest));
	const end = minOf(
		sure.map(({eviction}) => eviction.end),
		never,
	);
	const eviction = new Range(earliest, first.eviction.expected, end, {likely: ofLikely.likely});
	const ofFirst = first.verdict === 'Unsure' ? (sure[0] ?? first).verdict : first.verdict;
	return {...first, verdict: mayLoseNode ? 'Unsure' : ofFirst, eviction, endings};
}
