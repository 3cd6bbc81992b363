import {maxOf} from '../../../core/collections/extremes.ts';
import {podKey} from '../../../core/model/pod.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {PodHistory} from './podAmounts.ts';
import type {PressureEvidence} from './pressureEvidence.ts';

/** The longest time from the end of a pod until measurements no longer include it; its files are removed later. */
const settling: Duration = 5 * second;

/**
 * Until when measurements may include pods that are no longer on the node: measurements before and after that make no common
 * trend.
 */
export function freedUntil(
	{pods, samples, evicted, reports}: PressureEvidence,
	histories: ReadonlyMap<string, PodHistory>,
): Instant {
	const present = new Set(pods.map(({uid}) => uid));
	const newestAt = samples.at(-1)?.seenAt ?? 0;
	const measured = [...histories].flatMap(([uid, {seenAt}]) => {
		const end = evicted.find((one) => one.uid === uid);
		const isGone = !present.has(uid) && (end || seenAt < newestAt);
		return isGone ? (end?.at ?? newestAt) : [];
	});
	const isMeasured = (key: string) =>
		[...evicted, ...pods].some((one) => podKey(one) === key && histories.has(one.uid));
	const others = [
		...evicted.flatMap((one) => (histories.has(one.uid) ? [] : (one.at ?? []))),
		...reports.flatMap(({reason, pod, at}) =>
			reason === 'Evicted' && pod !== undefined && !isMeasured(pod) ? at : [],
		),
	];
	return maxOf([...measured, ...others]) + settling;
}
