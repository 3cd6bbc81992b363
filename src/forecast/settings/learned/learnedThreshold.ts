import {zoneLabel} from '../../../core/model/zone.ts';
import type {Duration} from '../../../core/time/instant.ts';
import type {ZoneVerdict} from './behaviour.ts';
import {type LearnedSetting, merge} from './learnedSetting.ts';

/**
 * Learns unhealthy-zone-threshold, which the controller compares with shares of nodes as float32 numbers: it is above the share
 * with which a small zone evicts, and at most the share with which any zone does not.
 *
 * @param largeThreshold up to which size a zone is surely small: a large one may go on slowly
 * @param patience how long a zone must have waited that would have evicted; infinite where that cannot be told
 */
export function learnThreshold(
	verdicts: readonly ZoneVerdict[],
	largeThreshold: number,
	patience: Duration,
): LearnedSetting | undefined {
	const learned = verdicts
		.filter(({evicts, largestSize, watched}) => (evicts ? largestSize <= largeThreshold : watched > patience))
		.map((verdict): LearnedSetting => {
			const share = verdict.notReady / verdict.size;
			return {
				range: verdict.evicts ? [nextFloat32(share), null] : [0, share],
				observations: [verdictWords(verdict)],
			};
		});
	return learned.length === 0 ? undefined : learned.reduce(merge);
}

/** `zone eu/a stopped with 6 of 10 nodes not ready`. */
export const verdictWords = ({zone, evicts, notReady, size}: ZoneVerdict): string =>
	`zone ${zoneLabel(zone)} ${evicts ? 'went on' : 'stopped'} with ${notReady} of ${size} nodes not ready`;

/** The next greater float32 number. */
function nextFloat32(value: number): number {
	const bits = new Int32Array(new Float32Array([value]).buffer);
	bits[0] = (bits[0] ?? 0) + 1;
	return new Float32Array(bits.buffer)[0] ?? value;
}
