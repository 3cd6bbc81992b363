import {killTimeout} from '../../core/nodepressure/killSequence.ts';
import type {EvictionSettings} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {Range} from '../range.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';

/** How long a kubelet waits for the cleanup of evicted pods. */
export const cleanup: Duration = 30 * second;

/** When a kubelet's next pass begins: any time within one interval, or later if an eviction may be in progress. */
export function nextPass(
	{lastEvictionAt}: Pick<PressureEvidence, 'lastEvictionAt'>,
	{monitoringInterval, maxPodGracePeriodSeconds}: EvictionSettings,
	now: Instant,
): Range {
	const atWork =
		lastEvictionAt === undefined
			? now
			: Math.max(now, lastEvictionAt + killTimeout(Math.max(1, maxPodGracePeriodSeconds)) + cleanup);
	const latest = Math.max(now + monitoringInterval, atWork);
	return new Range(now, now + monitoringInterval / 2, latest);
}
