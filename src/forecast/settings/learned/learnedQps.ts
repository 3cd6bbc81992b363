import {second} from '../../../core/time/instant.ts';
import type {LearnedRange} from '../setting.ts';
import type {Burst} from './behaviour.ts';
import {type LearnedSetting, merge} from './learnedSetting.ts';

/** A burst shorter than this may have lived on saved tokens. */
const fewest = 150;
/** The largest bucket that is considered. */
const largestBurst = 200;
/** At a higher rate the API server may be the bottleneck. */
const plainlyThrottled = 50;
/** Calls for each write that was seen, at the most: an event, and a read before it. */
const callsPerWrite = 3;

/** Learns a controller's kube-api-qps from the pace of long bursts of writes. */
export function learnQps(bursts: readonly Burst[]): LearnedSetting | undefined {
	const learned = bursts.flatMap((burst) => learnFrom(burst) ?? []);
	return learned.length === 0 ? undefined : learned.reduce(merge);
}

function learnFrom({of, count, from, to}: Burst): LearnedSetting | undefined {
	const seconds = (to - from) / second;
	if (count < fewest || seconds < 3) return undefined;
	const pace = count / seconds;
	const lo = Math.max(0, count - largestBurst) / seconds;
	const range: LearnedRange = [lo, pace > plainlyThrottled ? null : (count / (seconds - 1)) * callsPerWrite];
	const shown = `${count} writes in ${Math.round(seconds)}s`;
	return {range, observations: [`the ${of} made ${shown}`]};
}
