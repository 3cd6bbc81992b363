import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';
import {once} from '../../forecast/once.ts';
import {finish, type Pausable} from '../../forecast/pausable.ts';
import type {PodForecast, PodVerdict} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import {compareText} from '../../print/tables/compareText.ts';
import {type Certainty, certainties, certaintyOf} from './certainty.ts';
import {waitingIn, type ZoneQueue} from './zoneLine.ts';

/** What is worked out of a forecast once, and used by every frame that shows it. */
export type Digest = {
	/** Pods whose eviction has a time, in the order in which they are shown. */
	readonly coming: readonly PodForecast[];
	/** The same without those that only may go, and are overdue. */
	readonly sure: readonly PodForecast[];
	/** When each of the sure ones may go at the earliest, in order. */
	readonly begins: Float64Array;
	/** When each of the sure ones has gone at the latest, in order; those that nothing bounds are left out. */
	readonly ends: Float64Array;
	/** Those that are coming, by range and certainty: many pods share one. */
	readonly groups: readonly RangeGroup[];
	/** Every pod that is not safe: those that are coming, then the others. */
	readonly troubled: readonly PodForecast[];
	readonly podCounts: Readonly<Record<PodVerdict, number>>;
	readonly nodes: readonly NodeForecast[];
	/** The nodes that are not well. */
	readonly troubledNodes: readonly NodeForecast[];
	/** What waits in each zone that has nodes. */
	readonly waiting: ReadonlyMap<string, ZoneQueue>;
};

/** So many pods go in one range. */
export type RangeGroup = {readonly range: Range; readonly certainty: Certainty; readonly count: number};

// By the pods: a forecast that only tells of other problems has the same.
const digests = new WeakMap<readonly PodForecast[], Digest>();

/** The digest of a forecast. */
export const digestOf = (forecast: Forecast): Digest => finish(digestInSteps(forecast));

/** The same, made in steps where it is not at hand. */
export function* digestInSteps(forecast: Forecast): Pausable<Digest> {
	const known = digests.get(forecast.pods);
	if (known?.nodes === forecast.nodes) return known;
	const digest = yield* makeDigest(forecast);
	digests.set(forecast.pods, digest);
	return digest;
}

function* makeDigest({pods, nodes}: Forecast): Pausable<Digest> {
	const podCounts = {...noPods};
	const troubled: PodForecast[] = [];
	for (const pod of pods) {
		podCounts[pod.verdict] += 1;
		if (pod.verdict !== 'Safe') troubled.push(pod);
	}
	yield;
	const sorted = yield* sortUrgent(troubled);
	yield;
	const coming = sorted.filter(({eviction}) => eviction !== null);
	const sure = coming.filter(({verdict}) => verdict === 'Scheduled' || verdict === 'Expected');
	yield;
	const ends = Float64Array.from(sure.flatMap(({eviction}) => eviction?.latest ?? [])).sort();
	yield;
	const begins = Float64Array.from(sure.flatMap(({eviction}) => eviction?.earliest ?? [])).sort();
	const groups = groupsOf(coming);
	yield;
	const byZone = Map.groupBy(nodes, ({zone}) => zone);
	return {
		...{coming, sure, begins, ends, groups, podCounts, nodes},
		troubled: sorted,
		troubledNodes: nodes.filter((node) => !isWellNode(node)),
		waiting: new Map([...byZone].map(([zone, its]) => [zone, waitingIn(its)])),
	};
}

const noPods: Readonly<Record<PodVerdict, number>> = {
	Scheduled: 0,
	Expected: 0,
	Overdue: 0,
	Held: 0,
	Stays: 0,
	Terminating: 0,
	Unsure: 0,
	Safe: 0,
};

type PodsOfNode = {all: number; coming: number};

/** How many pods each node has, and how many of them are coming. */
export const podsByNode = ({pods}: Forecast): ReadonlyMap<string, Readonly<PodsOfNode>> =>
	once(countByNode, pods);

function countByNode(pods: Forecast['pods']): ReadonlyMap<string, Readonly<PodsOfNode>> {
	const counts = new Map<string, PodsOfNode>();
	for (const {node, eviction} of pods) {
		const count = counts.get(node) ?? {all: 0, coming: 0};
		counts.set(node, count);
		count.all += 1;
		if (eviction !== null) count.coming += 1;
	}
	return counts;
}

/** In half seconds; a longer range fills the timeline just as well. */
const longest = 4000;

function groupsOf(coming: readonly PodForecast[]): readonly RangeGroup[] {
	const groups = new Map<number, {range: Range; certainty: Certainty; count: number}>();
	for (const pod of coming) {
		const {eviction: range} = pod;
		const certainty = certaintyOf(pod);
		if (!range || !certainty) continue;
		const length =
			range.latest === null
				? longest
				: Math.min(longest - 1, Math.ceil((range.latest - range.earliest) / 500));
		const key =
			(Math.floor(range.earliest / 500) * (longest + 1) + length) * 3 + certainties.indexOf(certainty);
		const group = groups.get(key) ?? {range, certainty, count: 0};
		groups.set(key, group);
		group.count += 1;
	}
	return [...groups.values()];
}

/** The pods that were sorted last, and the order they were put into. */
let last: {readonly pods: readonly PodForecast[]; readonly order: readonly number[]} = {pods: [], order: []};

/**
 * The same as sorting by urgency, for tens of thousands, each second. The pods of the next forecast are nearly always the
 * same, in nearly the same order, and what is nearly sorted is sorted fast.
 */
function* sortUrgent(pods: readonly PodForecast[]): Pausable<readonly PodForecast[]> {
	const keys = Float64Array.from(pods, urgencyOf);
	yield;
	const isKnown =
		pods.length === last.pods.length && pods.every(({uid}, index) => uid === last.pods[index]?.uid);
	const order = isKnown ? [...last.order] : Array.from(pods.keys());
	const podAt = (index: number) => pods[index] as PodForecast;
	yield;
	order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || compareNames(podAt(a), podAt(b)));
	last = {pods, order};
	return order.map(podAt);
}

const withoutTime: readonly PodVerdict[] = ['Held', 'Unsure', 'Terminating', 'Stays', 'Safe'];
const never = 1e13;

/** Overdue pods first, then by the second of their median, those that only may go after the others; then those without a time. */
function urgencyOf({verdict, eviction}: PodForecast): number {
	if (eviction === null) return never + withoutTime.indexOf(verdict);
	const rank = verdict === 'Overdue' ? -never : verdict === 'Unsure' ? never / 2 : 0;
	return Math.floor(eviction.expected / 1000) + rank;
}

/**
 * Pods by when they go. Within one second it is the names that decide: ranges that are reckoned anew each second differ
 * by milliseconds, and rows must not trade places for that.
 */
export const compareUrgency = (a: PodForecast, b: PodForecast): number =>
	urgencyOf(a) - urgencyOf(b) || compareNames(a, b);

const compareNames = (a: PodForecast, b: PodForecast): number =>
	compareText(a.namespace, b.namespace) || compareText(a.name, b.name);
