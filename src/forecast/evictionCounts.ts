import {grouped} from '../core/collections/grouped.ts';
import {mapBy} from '../core/collections/mapBy.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Forecast} from './forecast.ts';
import {type PendingPod, toTaintByZone} from './pending.ts';
import type {Range} from './range.ts';
import type {Estimate} from './words.ts';

/** Pods of a zone whose nodes wait for their taints, and that tolerate these for the same time. */
type WaitingPods = {
	readonly pods: readonly PendingPod[];
	readonly tolerated: Duration;
	/** When the zone's next taints come. */
	readonly taints: readonly Range[];
	/** How many of the pods go with each taint, on average. */
	readonly perTaint: number;
};

type Counted = {
	readonly zone: string;
	readonly waiting: readonly WaitingPods[];
	readonly others: readonly PendingPod[];
};

/**
 * Counts the evictions to come. Each waiting node of a zone may get the next token, but only one does: how many of their pods go is
 * known better than which.
 */
export class EvictionCounts {
	readonly #zones: readonly Counted[];

	constructor(pending: readonly PendingPod[], {nodes, zones}: Pick<Forecast, 'nodes' | 'zones'>) {
		const toTaint = toTaintByZone(pending, nodes);
		const ofZone = mapBy(zones, ({zone}) => zone);
		this.#zones = grouped(pending, ({zone}) => zone).map(([zone, pods]) => {
			const waiting = new Set(toTaint.get(zone));
			const {taints = [], queue = []} = ofZone.get(zone) ?? {};
			const contenders = new Set([...queue, ...[...waiting].map(({node}) => node)]).size;
			const byToleration = grouped([...waiting], ({cause}) => cause?.tolerationSeconds ?? 0);
			return {
				zone,
				waiting: byToleration.map(([seconds, alike]) => ({
					...{pods: alike, tolerated: seconds * second, taints},
					perTaint: alike.length / contenders,
				})),
				others: pods.filter((pod) => !waiting.has(pod)),
			};
		});
	}

	/** @param zone only of this one */
	by(instant: Instant, zone?: string): Estimate {
		const zones = zone === undefined ? this.#zones : this.#zones.filter((one) => one.zone === zone);
		return sumOf(
			zones.flatMap(({waiting, others}) => [
				countOf(others, instant),
				...waiting.map((ones) => withTaints(ones, instant)),
			]),
		);
	}
}

/** Shares of cases by which a number is reached in nearly all of them, and in more than a few. */
const [nearlyAll, aFew] = [0.9, 0.1];

function countOf(pods: readonly PendingPod[], instant: Instant): Estimate {
	let [expected, from, until] = [0, 0, 0];
	for (const {verdict, eviction} of pods) {
		const share = verdict === 'Overdue' ? 1 : eviction.shareBy(instant);
		expected += share;
		if (share >= nearlyAll) from += 1;
		if (share > aFew) until += 1;
	}
	return {expected, from, until};
}

function withTaints({pods, tolerated, taints, perTaint}: WaitingPods, instant: Instant): Estimate {
	const {expected} = countOf(pods, instant);
	const taintsIn = (share: number) =>
		taints.filter((taint) => taint.shareBy(instant - tolerated) >= share).length;
	const from = Math.min(expected, Math.floor(taintsIn(nearlyAll) * perTaint));
	const until = Math.max(expected, Math.ceil(taintsIn(aFew) * perTaint));
	return {expected, from, until: Math.min(until, pods.length)};
}

const sumOf = (counts: readonly Estimate[]): Estimate =>
	counts.reduce(
		(sum, {expected, from, until}) => ({
			expected: sum.expected + expected,
			from: sum.from + from,
			until: sum.until + until,
		}),
		{expected: 0, from: 0, until: 0},
	);
