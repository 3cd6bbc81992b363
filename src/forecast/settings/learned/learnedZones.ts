import {zoneLabel} from '../../../core/model/zone.ts';
import {type Duration, second} from '../../../core/time/instant.ts';
import {formatLearnedRange} from '../setting.ts';
import type {TaintPair, ZoneVerdict} from './behaviour.ts';
import {type LearnedSetting, mergeSetting} from './learnedSetting.ts';

/** The queue is processed every 100 ms, and a write takes time. */
const polling: Duration = second / 4;
/** How long a write may wait for its client, which never holds more than about twenty calls. */
export const writeWait: Duration = 2.5 * second;
// A float32 rate may be slightly above its flag.
const rateMargin = 1.001;

/**
 * Learns the eviction rate from a zone's taints, which are at least 1/rate apart, and just so far if its queue was not empty between
 * them. A token may have been lost between two of them, so the closest pair counts.
 *
 * @param largeThreshold the smallest size up to which a zone may count as small
 */
export function learnRate(pairs: readonly TaintPair[], largeThreshold: number): LearnedSetting | undefined {
	const bounds = pairs
		.filter(({isAtFullRate, largestSize}) => isAtFullRate || largestSize <= largeThreshold)
		.map((pair) => ({pair, bounds: intervalOf(pair)}))
		.toSorted((a, b) => a.bounds.hi - b.bounds.hi);
	const [closest] = bounds;
	if (!closest) return undefined;
	const {hi} = closest.bounds;
	const waited = bounds.filter(({pair, bounds: {lo}}) => pair.hasWaited && lo <= hi);
	const lo = waited[0]?.bounds.lo ?? 0;
	const shown = (lo > 0 && waited[0]) || closest;
	const {zone, first, second: later} = shown.pair;
	const apart = formatLearnedRange([Math.max(0, later.lo - first.hi), shown.bounds.hi], 'duration');
	return {
		range: [second / hi / rateMargin, lo > 0 ? (second / lo) * rateMargin : null],
		observations: [
			lo > 0
				? `zone ${zoneLabel(zone)} tainted waiting nodes ${apart} apart (${waited.length} times seen)`
				: `zone ${zoneLabel(zone)} tainted nodes ${apart} apart`,
		],
	};
}

/** How long the bucket took for its next token. */
function intervalOf({first, second: later, isQuiet}: TaintPair): {
	readonly lo: Duration;
	readonly hi: Duration;
} {
	const late = polling + (isQuiet ? 0 : writeWait);
	return {lo: later.lo - late - first.hi, hi: later.hi - (first.lo - late)};
}

/**
 * Learns unhealthy-zone-threshold, which the controller compares with shares of nodes as float32 numbers: it is above the
 * share with which a small zone evicts, and at most the share with which any zone does not.
 *
 * @param largeThreshold up to which size a zone is certainly small: a large one may continue slowly
 * @param patience how long a zone that evicts would have waited at most; infinite if unknown
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
	return learned.length === 0 ? undefined : learned.reduce(mergeSetting);
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
