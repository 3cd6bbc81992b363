import {maxOf, minOf} from '../core/collections/extremes.ts';
import {firstIndex} from '../core/collections/firstIndex.ts';
import {grouped} from '../core/collections/grouped.ts';
import {kept} from '../core/collections/kept.ts';
import {mapBy} from '../core/collections/mapBy.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import type {Forecast} from './forecast.ts';
import {type PendingPod, toTaintByZone} from './pending.ts';
import type {Range} from './range.ts';
import type {Estimate} from './words.ts';

/** How far ahead evictions are counted where one number is told. */
export const soon: Duration = 5 * minute;

/** Pods of a zone whose nodes wait for their taints, and that tolerate these for the same time. */
type WaitingPods = Readonly<{
	pods: readonly PendingPod[];
	tolerated: Duration;
	/** When the zone's next taints come. */
	taints: readonly Range[];
	/** How many nodes wait, and how many of the pods they have: the mean, and the standard deviation. */
	nodes: number;
	perNode: number;
	deviation: number;
}>;

type Counted = {
	readonly zone: string;
	readonly waiting: readonly WaitingPods[];
	readonly others: readonly PendingPod[];
};

/** Of more pods than this, so many are looked at to find when half of them have gone. */
const sampled = 2000;
/** The share of a normal distribution's deviation that its central 80 % reaches on both sides. */
const centralPart = 1.28;

/**
 * Counts the evictions to come. Each waiting node of a zone may get the next token, but only one does: how many of their pods go is
 * known better than which.
 */
export class EvictionCounts {
	readonly #zones: readonly Counted[];
	readonly #pending: readonly PendingPod[];
	readonly #counts = new Map<string, Estimate>();

	constructor(pending: readonly PendingPod[], {nodes, zones}: Forecast) {
		const toTaint = toTaintByZone(pending, nodes);
		const ofZone = mapBy(zones, ({zone}) => zone);
		this.#pending = pending;
		this.#zones = grouped(pending, ({zone}) => zone).map(([zone, pods]) => {
			const waiting = new Set(toTaint.get(zone));
			const {taints = [], queue = []} = ofZone.get(zone) ?? {};
			const contenders = new Set([...queue, ...[...waiting].map(({node}) => node)]).size;
			const byToleration = grouped([...waiting], ({cause}) => cause?.tolerationSeconds ?? 0);
			return {
				zone,
				waiting: byToleration.map(([seconds, alike]) => ({
					pods: alike,
					tolerated: seconds * second,
					taints,
					...spreadOver(contenders, alike),
				})),
				others: pods.filter((pod) => !waiting.has(pod)),
			};
		});
	}

	/** How many come by an instant, in whole seconds. @param zone only of this one */
	by(instant: Instant, zone?: string): Estimate {
		const until = Math.floor(instant / second) * second;
		return kept(this.#counts, `${until} ${zone}`, () => {
			const zones = zone === undefined ? this.#zones : this.#zones.filter((one) => one.zone === zone);
			return sumOf(
				zones.flatMap(({waiting, others}) => [
					countOf(others, until),
					...waiting.map((ones) => withTaints(ones, until)),
				]),
			);
		});
	}

	/** When half of them have come, to a second; undefined if there are none, or half never come. */
	half(): Instant | undefined {
		const every = Math.ceil(this.#pending.length / sampled);
		const pods = this.#pending.filter((_, index) => index % every === 0);
		const begin = minOf(pods.map(({eviction}) => eviction.earliest));
		const end = maxOf(pods.map(({eviction}) => eviction.likely?.until ?? eviction.end));
		const seconds = Math.ceil((end - begin) / second);
		if (!Number.isFinite(seconds)) return undefined;
		const at = (index: number) => begin + index * second;
		const isHalf = (index: number) => countOf(pods, at(index)).expected >= pods.length / 2;
		const first = firstIndex(seconds + 1, isHalf);
		return first <= seconds ? at(first) : undefined;
	}
}

function spreadOver(nodes: number, pods: readonly PendingPod[]) {
	const ofNodes = grouped(pods, ({node}) => node).map(([, {length}]) => length);
	const perNode = pods.length / nodes;
	const squares = ofNodes.reduce((sum, own) => sum + own ** 2, 0) / nodes;
	return {nodes, perNode, deviation: Math.sqrt(Math.max(0, squares - perNode ** 2))};
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
	return {expected, from: Math.min(from, expected), until: Math.max(until, expected)};
}

/** Of the nodes that get a taint, more or fewer may have such pods than of all that wait. */
function withTaints(
	{pods, tolerated, taints, nodes, perNode, deviation}: WaitingPods,
	instant: Instant,
): Estimate {
	const {expected} = countOf(pods, instant);
	const taintsIn = (share: number) =>
		taints.filter((taint) => taint.shareBy(instant - tolerated) >= share).length;
	const [least, most] = [taintsIn(nearlyAll), taintsIn(aFew)];
	const aside = (count: number) =>
		centralPart * deviation * Math.sqrt(Math.max(0, count * (1 - count / nodes)));
	const from = Math.max(0, Math.floor(least * perNode - aside(least)));
	const until = Math.min(pods.length, Math.ceil(most * perNode + aside(most)));
	return {expected, from: Math.min(expected, from), until: Math.max(expected, until)};
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
