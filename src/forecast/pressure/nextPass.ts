import type {EvictionSettings} from '../../core/nodepressure/evictionSettings.ts';
import {killTimeout} from '../../core/nodepressure/killSequence.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import type {Range} from '../podForecast.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';

/** For so long a kubelet waits for the cleanup of what it evicted. */
const cleanup = 30 * second;

/**
 * When a kubelet's next pass is. Its phase cannot be seen, so that is any time within one interval; later where it may
 * still be at an eviction.
 */
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
	return {earliest: now, expected: now + monitoringInterval / 2, latest};
}
