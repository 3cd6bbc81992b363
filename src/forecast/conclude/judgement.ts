import {minOf} from '../../core/collections/extremes.ts';
import {formatTaint, type Taint, taintOutOfService} from '../../core/model/taint.ts';
import {type Duration, never, second} from '../../core/time/instant.ts';
import type {Stop} from '../infer/evictionStop.ts';
import type {Cause, Held, PodForecast, PodVerdict} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** How long after its latest time a deletion still counts as on its way. */
export const overdueAfter: Duration = 2 * second;

/** One way in which a pod may end, judged on its own: the parts of its forecast that its verdict decides. */
export type Judgement = Pick<PodForecast, 'verdict' | 'eviction' | 'cause' | 'held' | 'withoutRepair'>;

/** A verdict, and what it rests on: nothing, unless it is given. */
export const judged = (
	verdict: PodVerdict,
	cause: Cause | null = null,
	eviction: Range | null = null,
	held: Held | null = null,
): Judgement => ({verdict, eviction, cause, held});

/**
 * The verdict of a pod that may end in several ways: the first to come is shown, and the pod has ended once one of them has surely
 * come. If none comes, what holds the pod is shown, or the first of them.
 */
export function verdictOf(endings: readonly Judgement[]): Judgement {
	const decided = endings.find(({verdict}) => verdict === 'Terminating' || verdict === 'Overdue');
	if (decided) return decided;
	const coming = endings
		.flatMap((ending) => (ending.eviction ? {...ending, eviction: ending.eviction} : []))
		.toSorted((a, b) => a.eviction.expected - b.eviction.expected);
	const [first, next] = coming;
	if (!first || !next) return first ?? endings.find(({held}) => held) ?? endings[0] ?? judged('Safe');
	const sure = coming.filter(({verdict, eviction}) => verdict !== 'Unsure' && eviction.latest !== null);
	const eviction = coming.reduce(
		(all, ending) => all.orSooner(ending.eviction, []),
		first.eviction.until(null),
	);
	const end = minOf(
		sure.map(({eviction}) => eviction.end),
		never,
	);
	const verdict = first.verdict === 'Unsure' ? (sure[0] ?? first).verdict : first.verdict;
	const isOfNode = first.cause?.kind === 'NodeRepair' || first.cause?.kind === 'NodeShutdown';
	const withoutRepair = {eviction: next.eviction, cause: next.cause};
	return {...first, verdict, eviction: eviction.until(end), ...(isOfNode && {withoutRepair})};
}

/** A taint as the cause of a deletion. */
export function causeOf(taint: Taint, tolerated: Duration): Cause {
	const kind = taint.key === taintOutOfService ? 'OutOfService' : 'Taint';
	return {kind, taint: formatTaint(taint), tolerationSeconds: tolerated === 0 ? null : tolerated / second};
}

/** What holds a pod, as a forecast shows it. @param ifReleasedNow when the pod is deleted if the stop ends now */
export const heldWith = ({by, since, releasedBy}: Stop, ifReleasedNow: Range): Held => ({
	by,
	since,
	releasedBy,
	ifReleasedNow,
});

/**
 * When a held pod is deleted if the stop (`infer/evictionStop.ts`) ends now: its node gets its taint, and the pod goes `tolerated`
 * later.
 *
 * @param turns when the node turns Unknown, if it has not yet
 */
export function deletionIfReleased(
	stop: Stop,
	tolerated: Duration,
	waiting: number,
	situation: Simulated,
	turns?: Range | null,
): Range {
	const {now, settings} = situation;
	const from = Math.max(now, turns?.earliest ?? now);
	const until = turns ? Math.max(now, turns.end) : now;
	const earliest = from + stop.firstAfter + tolerated;
	const per = settings.nodeEvictionRate > 0 ? second / settings.nodeEvictionRate : Number.POSITIVE_INFINITY;
	// Without a rate, `per` is infinite: a single node waits for no other.
	const queueTime = waiting > 1 ? (waiting - 1) * per : 0;
	const last = earliest + (until - from) + settings.nodeMonitorPeriod + second + queueTime;
	return Range.over({lo: earliest, hi: last});
}
