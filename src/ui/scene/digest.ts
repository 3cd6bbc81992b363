import {compareValues} from '../../core/collections/compareValues.ts';
import {kept} from '../../core/collections/kept.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';
import {finish, type Pausable} from '../../forecast/pausable.ts';
import type {PodForecast, PodVerdict} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import {type Certainty, certainties, certaintyOf} from './certainty.ts';
import {foldedRows, type PodRow} from './folds.ts';
import {SharedNames} from './sharedNames.ts';
import {type SilentNodes, silenceByZone} from './silence.ts';
import {findWorkloads, type WorkloadGroup} from './workloads.ts';
import {waitingIn, type ZoneQueue} from './zoneLine.ts';

/** A forecast as it is shown, with what its rows and frames have in common. */
export type ShownForecast = Forecast & {readonly digest: Digest};

/** What is worked out of the pods of a forecast once, and used by every frame that shows it. */
export type PodDigest = {
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
	readonly counts: Readonly<Record<PodVerdict, number>>;
	/** Where each of the troubled ones stood before they were sorted. */
	readonly order: PodOrder;
};

/** Pods, and the order that they were put into. */
type PodOrder = {readonly pods: readonly PodForecast[]; readonly order: readonly number[]};

/** What is worked out of the nodes of a forecast. */
type NodeDigest = {
	/** The nodes that are not well. */
	readonly troubled: readonly NodeForecast[];
	/** What waits in each zone that has nodes. */
	readonly waiting: ReadonlyMap<string, ZoneQueue>;
	/** The silent nodes of each zone. */
	readonly silence: ReadonlyMap<string, SilentNodes>;
};

/** So many pods go in one range. */
export type RangeGroup = {readonly range: Range; readonly certainty: Certainty; readonly count: number};

/** How many pods a node has, and how many of them are coming. */
type PodsOfNode = {readonly all: number; readonly coming: number};

/** What many rows and frames need of a forecast; each thing is worked out once it is asked for. */
export class Digest {
	readonly forecast: Forecast;
	/** Of the forecast before. */
	readonly #before: PodOrder | undefined;
	#pods: PodDigest | undefined;
	#nodes: NodeDigest | undefined;
	#names: SharedNames | undefined;
	#workloads: readonly WorkloadGroup[] | undefined;
	#byNode: ReadonlyMap<string, PodsOfNode> | undefined;
	readonly #folded = new Map<readonly PodForecast[], readonly PodRow[]>();
	readonly #inNamespaces = new Map<string, ShownForecast>();

	/** @param before of the forecast before */
	constructor(forecast: Forecast, before?: Digest) {
		this.forecast = forecast;
		if (before) this.#before = before.#pods?.order;
	}

	/** Works out what every view shows, so that the first frame costs no more than any other. */
	*prepare(): Pausable<void> {
		this.#pods ??= yield* digestPods(this.forecast.pods, this.#before);
		for (const pods of [this.#pods.coming, this.#pods.troubled]) {
			yield;
			this.folded(pods);
		}
		void this.names;
	}

	get pods(): PodDigest {
		this.#pods ??= finish(digestPods(this.forecast.pods, this.#before));
		return this.#pods;
	}

	get nodes(): NodeDigest {
		this.#nodes ??= digestNodes(this.forecast.nodes);
		return this.#nodes;
	}

	/** What the names of all nodes and zones share. */
	get names(): SharedNames {
		this.#names ??= new SharedNames(this.forecast);
		return this.#names;
	}

	/** The workloads of all pods, those that lose pods soonest first. */
	get workloads(): readonly WorkloadGroup[] {
		this.#workloads ??= findWorkloads(this.forecast.pods);
		return this.#workloads;
	}

	podsOf(node: string): PodsOfNode | undefined {
		this.#byNode ??= countByNode(this.forecast.pods);
		return this.#byNode.get(node);
	}

	/** The same pods in the same order, those that stand alike as one row at the place of the first. */
	folded(pods: readonly PodForecast[]): readonly PodRow[] {
		return kept(this.#folded, pods, () => foldedRows(pods));
	}

	/** The forecast with the pods of one namespace alone. */
	inNamespace(namespace: string): ShownForecast {
		return kept(this.#inNamespaces, namespace, () =>
			shownForecast({
				...this.forecast,
				pods: this.forecast.pods.filter((pod) => pod.namespace === namespace),
			}),
		);
	}
}

export const shownForecast = (forecast: Forecast, digest = new Digest(forecast)): ShownForecast => ({
	...forecast,
	digest,
});

function* digestPods(pods: readonly PodForecast[], before: PodOrder | undefined): Pausable<PodDigest> {
	const counts = {...noPods};
	const unsorted: PodForecast[] = [];
	for (const pod of pods) {
		counts[pod.verdict] += 1;
		if (pod.verdict !== 'Safe') unsorted.push(pod);
	}
	yield;
	const order = yield* orderByUrgency(unsorted, before);
	const troubled = order.order.map((index) => unsorted[index] as PodForecast);
	yield;
	const coming = troubled.filter(({eviction}) => eviction !== null);
	const sure = coming.filter(({verdict}) => verdict === 'Scheduled' || verdict === 'Expected');
	yield;
	const ends = Float64Array.from(sure.flatMap(({eviction}) => eviction?.latest ?? [])).sort();
	yield;
	const begins = Float64Array.from(sure.flatMap(({eviction}) => eviction?.earliest ?? [])).sort();
	const groups = groupsOf(coming);
	yield;
	return {coming, sure, begins, ends, groups, troubled, counts, order};
}

const digestNodes = (nodes: readonly NodeForecast[]): NodeDigest => ({
	troubled: nodes.filter((node) => !isWellNode(node)),
	waiting: new Map([...Map.groupBy(nodes, ({zone}) => zone)].map(([zone, its]) => [zone, waitingIn(its)])),
	silence: silenceByZone(nodes),
});

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

function countByNode(pods: Forecast['pods']): ReadonlyMap<string, PodsOfNode> {
	const counts = new Map<string, {all: number; coming: number}>();
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

/**
 * The same as sorting by urgency, for tens of thousands, each second. The pods of the next forecast are nearly always the
 * same, in nearly the same order, and what is nearly sorted is sorted fast.
 */
function* orderByUrgency(pods: readonly PodForecast[], before: PodOrder | undefined): Pausable<PodOrder> {
	const keys = Float64Array.from(pods, urgencyOf);
	yield;
	const isKnown =
		pods.length === before?.pods.length && pods.every(({uid}, index) => uid === before.pods[index]?.uid);
	const order = isKnown ? [...before.order] : Array.from(pods.keys());
	const podAt = (index: number) => pods[index] as PodForecast;
	yield;
	order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || compareNames(podAt(a), podAt(b)));
	return {pods, order};
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
	compareValues(a.namespace, b.namespace) || compareValues(a.name, b.name);
