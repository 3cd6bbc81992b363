import {type Duration, type Instant, minute} from '../core/time/instant.ts';
import {type PodForecast, willBeEvicted} from './podForecast.ts';
import {Range} from './range.ts';

/** How far ahead pending evictions are counted, with labels. */
export const horizons: readonly (readonly [name: string, length: Duration])[] = [
	['1m', minute],
	['5m', 5 * minute],
	['15m', 15 * minute],
];

/** A pod that will be evicted if nothing changes. */
export type PendingPod = PodForecast & {readonly eviction: Range};

/** Whether a pod will be evicted if nothing changes, at a known time. */
export const isPending = (pod: PodForecast): pod is PendingPod =>
	pod.eviction !== null && willBeEvicted(pod.verdict);

/** The pods that will be evicted, the soonest by their median first. */
export const pendingOf = (pods: readonly PodForecast[]): readonly PendingPod[] =>
	pods.filter(isPending).toSorted((a, b) => a.eviction.expected - b.eviction.expected);

/** Whether a pod's median lies within a horizon; an overdue pod lies in each. */
export const isWithin = ({eviction}: PendingPod, horizon: Duration, now: Instant): boolean =>
	eviction.expected <= now + horizon;

/** When the last of these evictions happens; null if there are none. */
export const lastOf = (pending: readonly PendingPod[]): Range | null =>
	pending.reduce<Range | null>((last, {eviction}) => (last ? later(last, eviction) : eviction), null);

/** When the later of two events happens. */
function later(a: Range, b: Range): Range {
	const [earliest, expected] = [Math.max(a.earliest, b.earliest), Math.max(a.expected, b.expected)];
	if (a.latest !== null && b.latest !== null)
		return new Range(earliest, expected, Math.max(a.latest, b.latest));
	return new Range(earliest, expected, null, (a.latest === null ? a : b).shownEnd);
}
