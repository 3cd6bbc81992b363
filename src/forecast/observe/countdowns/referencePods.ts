import type {Pod} from '../../../core/model/pod.ts';
import type {Taint} from '../../../core/model/taint.ts';
import type {Toleration} from '../../../core/model/toleration.ts';
import {matchingTolerations} from '../../../core/tainteviction/tolerations.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Interval, wholeSecond} from '../interval.ts';
import {tolerationOf} from './podTimers.ts';

/** How long after an instant the controllers have surely handled what happened at it. */
export const handling: Duration = second / 5;

/** When a pod was bound to its node, and the taint-eviction controller looked at it. */
export function boundAt({scheduledAt, createdAt}: Pod): Interval {
	const at = scheduledAt ?? createdAt;
	return {...wholeSecond(at), hi: at + second + handling};
}

/**
 * A pod, or several that tolerate the same, as a reference pod of its node's taints: as long as it was there, the node had no
 * taint that it does not tolerate.
 */
export type ReferencePod = {
	readonly tolerations: readonly Toleration[];
	/** When it was surely bound to the node. */
	readonly since: Instant;
	/** Until when it was surely not evicted. */
	readonly until: Instant;
};

/**
 * The reference pods among the pods of a node: those that are there, and those that are on their way out, up to then.
 *
 * @param now when they were seen
 */
export function referencePodsAmong(pods: readonly Pod[], now: Instant): readonly ReferencePod[] {
	const groups = Map.groupBy(
		pods.filter(({isMirror}) => !isMirror),
		(pod) => pod.tolerations,
	);
	return [...groups].flatMap(([tolerations, ofGroup]) => {
		const there = ofGroup.map((pod) => ({since: boundAt(pod).hi, until: leftAt(pod) ?? now}));
		// Of those that are still there, the oldest tells the most; of the others, each tells its own.
		const [oldest] = there.filter(({until}) => until === now).toSorted((a, b) => a.since - b.since);
		const others = there.filter(({since, until}) => until !== now && until > since);
		return [...(oldest ? [oldest] : []), ...others].map((span) => ({tolerations, ...span}));
	});
}

/** When a pod's deletion was announced, or asked for as far as releases before 1.26 tell; undefined where it was not. */
export function leftAt({
	evictedAt,
	deletionTimestamp,
	deletionGracePeriodSeconds = 0,
}: Pod): Instant | undefined {
	if (evictedAt !== undefined) return evictedAt;
	return deletionTimestamp === undefined
		? undefined
		: deletionTimestamp - deletionGracePeriodSeconds * second;
}

/**
 * The earliest instant at which the countdowns for taints that a node has now can have started: the countdown of a
 * reference pod that started then would have run out while it was still there.
 */
export function countdownsSince(
	taints: readonly Taint[],
	referencePods: readonly ReferencePod[],
	comparisonOperators: boolean,
): Instant {
	const bounds = referencePods.flatMap(({tolerations, since, until}) => {
		const toleration = tolerationOf({tolerations}, taints, comparisonOperators);
		const start = toleration.type === 'limited' ? until - toleration.tolerated - handling : undefined;
		return start !== undefined && since < start ? start : [];
	});
	return Math.max(Number.NEGATIVE_INFINITY, ...bounds);
}

/** A key that no toleration names. */
const anotherKey = '';

/**
 * Since when a pod may have had a countdown by one of its tolerations: the taint that it would have used that one for
 * stood then, and a reference pod that does not tolerate it was not there.
 *
 * @param toleration one of the pod's
 * @param from the earliest that counts: only reference pods from before then tell
 */
export function usedSince(
	toleration: Toleration,
	pod: Pick<Pod, 'tolerations'>,
	referencePods: readonly ReferencePod[],
	from: Instant,
	comparisonOperators: boolean,
): Instant {
	const there = referencePods.filter(({since, until}) => since <= from && until > from);
	const named = [toleration, ...there.flatMap(({tolerations}) => tolerations)];
	if (named.some(({operator}) => operator === 'Lt' || operator === 'Gt')) return from;
	const isTolerated = (taint: Taint, {tolerations}: Pick<Pod, 'tolerations'>) =>
		matchingTolerations([taint], tolerations, comparisonOperators);
	const starts = [...named, {key: anotherKey, value: ''}].flatMap(({key, value}) => {
		const taint = {key: key === '' ? anotherKey : key, value, effect: 'NoExecute' as const};
		if (isTolerated(taint, pod)?.[0] !== toleration) return [];
		const against = there.filter((one) => !isTolerated(taint, one));
		return Math.max(from, ...against.map(({until}) => until - handling));
	});
	return Math.min(Number.POSITIVE_INFINITY, ...starts);
}
