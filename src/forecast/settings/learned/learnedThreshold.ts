import {zoneLabel} from '../../../core/model/zone.ts';
import type {Duration} from '../../../core/time/instant.ts';
import type {ZoneVerdict} from './behaviour.ts';
import {type LearnedSetting, merge} from './learnedSetting.ts';

/**
 * Learns unhealthy-zone-threshold: a small zone that evicts is below it, one that does not is at or above it.
 *
 * @param largeThreshold up to which size a zone is small, at the least
 * @param patience how long a zone must have waited that would have evicted; infinite where that cannot be told
 */
export function learnThreshold(
	verdicts: readonly ZoneVerdict[],
	largeThreshold: number,
	patience: Duration,
): LearnedSetting | undefined {
	const learned = verdicts
		.filter(
			({evicts, largestSize, watched}) => largestSize <= largeThreshold && (evicts || watched > patience),
		)
		.map(({zone, evicts, notReady, size}): LearnedSetting => {
			const share = notReady / size;
			const what = `${notReady} of ${size} nodes not ready`;
			return evicts
				? {range: [share, null], observations: [`zone ${zoneLabel(zone)} went on with ${what}`]}
				: {range: [0, share], observations: [`zone ${zoneLabel(zone)} stopped with ${what}`]};
		});
	return learned.length === 0 ? undefined : learned.reduce(merge);
}
