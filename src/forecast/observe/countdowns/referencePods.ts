import {ascending} from '../../../core/collections/ascending.ts';
import {maxOf, minOf} from '../../../core/collections/extremes.ts';
import type {Pod} from '../../../core/model/pod.ts';
import type {Taint} from '../../../core/model/taint.ts';
import type {Toleration} from '../../../core/model/toleration.ts';
import {matchingTolerations} from '../../../core/tainteviction/tolerations.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Interval, wholeSecond} from '../interval.ts';
import {tolerationOf} from './podTimers.ts';

/** After this time the controllers have certainly handled a change. */
export const handling: Duration = second / 5;

/** When a pod was bound to its node and the taint-eviction controller handled that. */
export function boundAt({scheduledAt, createdAt}: Pod): Interval {
	const at = scheduledAt ?? createdAt;
	return {...wholeSecond(at), hi: at + second + handling};
}

/**
 * When a pod was marked not ready by the pass that turned its node Unknown; undefined if it was not. The mark of a pod that was
 * just bound does not count: it is made because the node is not ready.
 */
export function markedAt(pod: Pod, turnedAt: Instant): Instant | undefined {
	const {readyChangedAt = beginningOfTime} = pod;
	return readyChangedAt >= turnedAt - second && readyChangedAt > boundAt(pod).hi ? readyChangedAt : undefined;
}

/** Whether pods show that the pass that turned their node Unknown marked them not ready. */
export const wereMarked = (pods: readonly Pod[], turnedAt: Instant) =>
	pods.some((pod) => markedAt(pod, turnedAt) !== undefined);

/** A pod, or several with the same tolerations: while it existed, its node had no taint that it does not tolerate. */
export type ReferencePod = {
	readonly tolerations: readonly Toleration[];
	/** When it was certainly bound to the node. */
	readonly since: Instant;
	/** Until when it was certainly not evicted. */
	readonly until: Instant;
};

/** The reference pods of a node; terminating ones count until their deletion was requested. @param now when they were seen */
export function referencePodsAmong(pods: readonly Pod[], now: Instant): readonly ReferencePod[] {
	const groups = Map.groupBy(
		pods.filter(({isMirror}) => !isMirror),
		(pod) => pod.tolerations,
	);
	return [...groups].flatMap(([tolerations, ofGroup]) => {
		const there = ofGroup.map((pod) => ({since: boundAt(pod).hi, until: leftAt(pod) ?? now}));
		// Of the pods that still exist, the oldest shows the most; each of the others shows something of its own.
		const [oldest] = there.filter(({until}) => until === now).toSorted(ascending(({since}) => since));
		const others = there.filter(({since, until}) => until !== now && until > since);
		return [...(oldest ? [oldest] : []), ...others].map((span) => ({tolerations, ...span}));
	});
}

/** When a pod's eviction was announced; before 1.26, when its deletion was requested. Undefined if it was not. */
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
 * The earliest instant at which the countdowns for a node's present taints can have started. With an earlier start, the
 * countdown of a reference pod would have ended while the pod still existed.
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
	return maxOf(bounds);
}

/** A key that no toleration names. */
const anotherKey = '';

/** The taint that a toleration names. */
const taintOf = ({key, value}: Pick<Toleration, 'key' | 'value'>): Taint => ({
	key: key === '' ? anotherKey : key,
	value,
	effect: 'NoExecute',
});

const compares = ({operator}: Toleration): boolean => operator === 'Lt' || operator === 'Gt';

/**
 * Since when a pod may have had a countdown by one of its tolerations: since its node may have had a taint that this
 * toleration matches, as no reference pod that does not tolerate the taint was there.
 *
 * @returns asks for a toleration of the pod, and the earliest instant that counts. Pods may have thousands of tolerations.
 */
export function earlierUses(
	pod: Pick<Pod, 'tolerations'>,
	referencePods: readonly ReferencePod[],
	comparisonOperators: boolean,
): (toleration: Toleration, from: Instant) => Instant {
	const matchOf = matchFinder(pod.tolerations, comparisonOperators);
	const references = referencePods.map((reference) => {
		const {tolerations, since, until} = reference;
		const named = Map.groupBy(tolerations.map(taintOf), matchOf);
		const hasComparison = tolerations.some(compares);
		return {since, until, named, hasComparison, matchOf: matchFinder(tolerations, comparisonOperators)};
	});
	return (toleration, from) => {
		const there = references.filter(({since, until}) => since <= from && until > from);
		if (compares(toleration) || there.some(({hasComparison}) => hasComparison)) return from;
		const own = [taintOf(toleration), taintOf({key: anotherKey, value: ''})];
		const taints = [
			...own.filter((taint) => matchOf(taint) === toleration),
			...there.flatMap(({named}) => named.get(toleration) ?? []),
		];
		const starts = taints.map((taint) => {
			const against = there.filter((reference) => !reference.matchOf(taint));
			return maxOf(
				against.map(({until}) => until - handling),
				from,
			);
		});
		return minOf(starts);
	};
}

/** Finds the first toleration that matches a taint, among those with its key, or with none. */
function matchFinder(
	tolerations: readonly Toleration[],
	comparisonOperators: boolean,
): (taint: Taint) => Toleration | undefined {
	const byKey = Map.groupBy(tolerations, ({key}) => key);
	return (taint) => {
		const matches = [taint.key, ''].flatMap(
			(key) => matchingTolerations([taint], byKey.get(key) ?? [], comparisonOperators) ?? [],
		);
		return matches.toSorted((a, b) => tolerations.indexOf(a) - tolerations.indexOf(b))[0];
	};
}
