import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import {observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import type {Signal} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, never, second} from '../../../core/time/instant.ts';
import type {SummarySample} from './pressureEvidence.ts';

/** Whether a container runtime measures it, at its own times: a pass measures everything else again. */
const isOfRuntime = (signal: Signal) => signal.startsWith('imagefs') || signal.startsWith('containerfs');

/**
 * How much later than a threshold is crossed a pass may see that; infinite if measurements fail to come, as passes then see
 * the same numbers again, which evict nothing.
 *
 * @param interval between two passes: no timely measurement is older
 */
export function latenessOf(signal: Signal, samples: readonly SummarySample[], interval: Duration): Duration {
	const ages = samples.flatMap(({seenAt, summary}) => {
		const time = observeSignals(summary).get(signal)?.time;
		return time === undefined ? [] : [seenAt - time];
	});
	// The node's clock may be wrong: if there are several ages, only their difference counts.
	const oldest = maxOf(ages, 0) - (ages.length > 1 ? minOf(ages) : 0);
	if (oldest > 2 * interval) return never;
	const isAtOwnTimes = isOfRuntime(signal) && ages.some((age) => Math.abs(age) >= second);
	return isAtOwnTimes ? Math.max(interval, oldest) : 0;
}
