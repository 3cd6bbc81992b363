import {killTimeout} from '../../core/nodepressure/killSequence.ts';
import type {EvictionSettings} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {Range} from '../range.ts';

/** How long a kubelet waits for the cleanup of evicted pods. */
export const cleanup: Duration = 30 * second;

/** The longest time that a kubelet waits for the end of a pod that it evicts. */
export const longestKill = ({maxPodGracePeriodSeconds}: EvictionSettings): Duration =>
	killTimeout(Math.max(1, maxPodGracePeriodSeconds));

/** When a kubelet's next pass begins: any time within one interval, or later if its last eviction may be in progress. */
export function nextPass(evictedAt: Instant, settings: EvictionSettings, now: Instant): Range {
	const {monitoringInterval} = settings;
	const latest = Math.max(now + monitoringInterval, evictedAt + longestKill(settings) + cleanup);
	return new Range(now, now + monitoringInterval / 2, latest);
}
