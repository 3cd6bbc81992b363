import {maxOf, minOf} from '../core/collections/extremes.ts';
import {type Instant, never, second} from '../core/time/instant.ts';
import type {PodForecast} from './podForecast.ts';
import {Range} from './range.ts';

/** When those that replace pods are ready: the first, and all of them; null without somebody's doing, or if nothing tells. */
export type ReadyAgain = {
	readonly first: Range | null;
	readonly all: Range | null;
	/** Whether it is known what the owners of the pods do. */
	readonly isKnown: boolean;
};

/** When the pod that replaces one is ready, null without somebody's doing; without an end where nothing tells that, or it is over. */
export function readyAgain({after, eviction, verdict, object}: PodForecast, now: Instant): Range | null {
	const at = requestedAt(object, now);
	const requested = verdict === 'Terminating' ? new Range(at, at, at) : eviction;
	if (!after?.readyAfter || !requested) return null;
	const {least, most} = after.readyAfter;
	const end = most === null ? never : requested.end + most * second;
	return from(Math.max(now, requested.earliest + least * second), end < now ? never : end);
}

/** When the deletion of a pod that is Terminating was requested. */
export const requestedAt = (object: PodForecast['object'], now: Instant): Instant =>
	Math.min(now, (object?.deletionTimestamp ?? now) - (object?.deletionGracePeriodSeconds ?? 0) * second);

const from = (lo: Instant, hi: Instant) => new Range(lo, Range.over({lo, hi}).expected, hi, {likely: null});

/** The same of the pods of a workload; undefined if none of them is needed again. */
export function allReadyAgain(pods: readonly PodForecast[], now: Instant): ReadyAgain | undefined {
	const needed = pods.filter(({after}) => after && after.outcome !== 'NotNeeded');
	const known = needed.flatMap((pod) => readyAgain(pod, now) ?? []);
	const [starts, ends] = [known.map(({earliest}) => earliest), known.map(({end}) => end)];
	if (needed.length === 0) return undefined;
	return {
		isKnown: needed.every(({after}) => after?.outcome !== 'Unknown'),
		first: known.length === 0 ? null : from(minOf(starts), minOf(ends)),
		all: known.length < needed.length ? null : from(maxOf(starts), maxOf(ends)),
	};
}
