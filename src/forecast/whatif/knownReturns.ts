import {ascending} from '../../core/collections/ascending.ts';
import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {taintNotReady, taintUnreachable} from '../../core/model/taint.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import {isOfLivingNode, type PodForecast} from '../podForecast.ts';
import {beforeUnknown, type Remedy} from './remedy.ts';

/** Deadlines of pods that follow from what was simulated of others, or from when their node turns Unknown. */
export function knownReturns(nodes: readonly NodeForecast[]) {
	/** By node, and by zone. */
	const found = new Map<string, {readonly of: PodForecast; readonly until: Instant}>();
	/** Until when a return is sure to come before every pass that turns a node Unknown. */
	const beforeAll = minOf(
		nodes.flatMap(({ready, unknown}) => (ready === 'True' && unknown ? beforeUnknown(unknown) : [])),
	);
	return {
		/** Pods must be given in the order of their evictions. */
		add(of: PodForecast, {until}: Remedy) {
			if (until !== undefined) found.set(of.node, {of, until}).set(of.zone, {of, until});
		},
		/** What to try first: pods of one node, or zone, often have the same time, or the same before their eviction. */
		guesses(pod: PodForecast): readonly Instant[] {
			const known = found.get(pod.node) ?? found.get(pod.zone);
			return known ? [known.until, earliestOf([pod]) - earliestOf([known.of]) + known.until] : [];
		},
		/** Whether a return of its node at an instant surely saves a pod, as it saves one that is evicted before. */
		isSavedAt(at: Instant, pod: PodForecast) {
			const known = found.get(pod.node);
			return known !== undefined && known.until >= at && isLater(pod, known.of);
		},
		/** A return of its node that surely saves a pod, though not the latest one; undefined if none is known. */
		of(pod: PodForecast, node: NodeForecast | undefined, now: Instant): Remedy | undefined {
			const known = found.get(pod.node);
			const until = maxOf([
				// What saves a pod saves those of its node that are evicted later: the taint is gone before.
				...(known && isLater(pod, known.of) ? [known.until] : []),
				...(node?.unknown && node.ready === 'True' && isOfLifecycle(pod) ? [beforeAll] : []),
			]);
			if (until <= now) return undefined;
			const change = {type: 'nodeBack', node: pod.node, at: until} as const;
			return {kind: 'NodeBack', until, isEarly: true, effect: 'Saves', eviction: null, change};
		},
	};
}

/** Whether it is evicted by the taint of a node that is lost, which the node's return removes. */
export const isOfLifecycle = ({cause}: PodForecast) =>
	cause?.kind === 'Taint' &&
	(cause.taint === `${taintUnreachable}:NoExecute` || cause.taint === `${taintNotReady}:NoExecute`);

const isLater = (pod: PodForecast, than: PodForecast) =>
	isOfLifecycle(pod) &&
	isOfLifecycle(than) &&
	(pod.cause?.tolerationSeconds ?? 0) >= (than.cause?.tolerationSeconds ?? 0) &&
	(pod.eviction?.earliest ?? 0) >= (than.eviction?.earliest ?? 0);

/**
 * Groups pods that the same return saves, the most urgent first: pods of one node that are evicted at the same time, and of
 * nodes that wait for their taint in random order all that tolerate it equally long.
 */
export function alikeOf(
	going: readonly PodForecast[],
	{nodes, pass}: Forecast,
): readonly (readonly PodForecast[])[] {
	// While a throttled pass is at work, nodes differ by when it comes to them.
	const waiting = new Set(
		pass ? [] : nodes.filter((one) => one.verdict === 'Queued' && one.taints.length === 0).map(nameOf),
	);
	const placeOf = (pod: PodForecast) =>
		waiting.has(pod.node) && isOfLifecycle(pod)
			? `zone ${pod.zone} ${pod.cause?.taint} ${pod.cause?.tolerationSeconds}`
			: `node ${pod.node}`;
	const alike = Map.groupBy(
		going,
		(pod) =>
			`${placeOf(pod)} ${Math.round((pod.eviction?.earliest ?? 0) / 100)} ${isOfLivingNode(pod.cause)}`,
	);
	return [...alike.values()].toSorted(ascending(earliestOf));
}

const earliestOf = ([first]: readonly PodForecast[]): Instant => first?.eviction?.earliest ?? 0;
