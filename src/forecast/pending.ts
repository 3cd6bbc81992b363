import {type Duration, type Instant, minute, never} from '../core/time/instant.ts';
import {type PodForecast, willBeEvicted} from './podForecast.ts';
import type {Range} from './range.ts';

/** How far ahead pending evictions are counted, and what each is called. */
export const horizons: readonly (readonly [name: string, length: Duration])[] = [
	['1m', minute],
	['5m', 5 * minute],
	['15m', 15 * minute],
];

/** A pod that will be evicted if nothing changes. */
export type PendingPod = PodForecast & {readonly eviction: Range};

/** Whether a pod will be evicted if nothing changes, and it is known when. */
export const isPending = (pod: PodForecast): pod is PendingPod =>
	pod.eviction !== null && willBeEvicted(pod.verdict);

/** The pods that will be evicted, the soonest by their median first. */
export const pendingOf = (pods: readonly PodForecast[]): readonly PendingPod[] =>
	pods.filter(isPending).toSorted((a, b) => a.eviction.expected - b.eviction.expected);

/** Whether a pod's median lies within a horizon; an overdue one lies in each. */
export const isWithin = ({eviction}: PendingPod, horizon: Duration, now: Instant): boolean =>
	eviction.expected <= now + horizon;

/** The eviction whose end comes last; one that nothing bounds comes after all others, and of equal ones that which may begin last. */
export function lastOf(pending: readonly PendingPod[]): Range | null {
	const endOf = ({latest}: Range) => latest ?? never;
	const isLater = (a: Range, b: Range) =>
		endOf(a) > endOf(b) || (endOf(a) === endOf(b) && a.earliest > b.earliest);
	return pending.reduce<Range | null>(
		(last, {eviction}) => (last === null || isLater(eviction, last) ? eviction : last),
		null,
	);
}
