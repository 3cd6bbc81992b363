import {ascending} from '../../core/collections/ascending.ts';
import {compareNames} from '../../core/collections/compareNames.ts';
import {minOf} from '../../core/collections/extremes.ts';
import {grouped} from '../../core/collections/grouped.ts';
import {kept} from '../../core/collections/kept.ts';
import type {Instant} from '../../core/time/instant.ts';
import {type Certainty, certainties, certaintyOf} from '../../forecast/certainty.ts';
import {EvictionCounts} from '../../forecast/evictionCounts.ts';
import type {Forecast} from '../../forecast/forecast.ts';
import {isWellNode, type NodeForecast} from '../../forecast/nodeForecast.ts';
import {finish, type Pausable} from '../../forecast/pausable.ts';
import {isPending, startOfEvictions} from '../../forecast/pending.ts';
import type {PodForecast, PodVerdict} from '../../forecast/podForecast.ts';
import type {Range} from '../../forecast/range.ts';
import {podVerdicts} from '../../print/legend.ts';
import {nodeVerdicts} from '../../print/tables/nodeKind.ts';
import {comparePodNames, foldedRows, type PodRow, urgencyOf} from '../../print/tables/podKind.ts';
import {SharedNames} from './sharedNames.ts';

/** A forecast with the data that its rows and frames share. */
export type ShownForecast = Forecast & {readonly digest: Digest};

/** Data about the pods of a forecast, computed once for all frames that show it. */
export type PodDigest = Readonly<{
	/** Pods whose eviction has a time, in display order. */
	coming: readonly PodForecast[];
	/** The same without possible and overdue evictions. */
	sure: readonly PodForecast[];
	/** When the first of them happens; null if there are none. */
	start: Range | null;
	/** How many of the sure evictions come by an instant. */
	evictions: EvictionCounts;
	/** When half of them have come; undefined if there are none. */
	half: Instant | undefined;
	/** The latest times of the sure evictions, sorted, without those that have no upper bound. */
	ends: Float64Array;
	/** The coming evictions by range and certainty, because many pods share one. */
	groups: readonly RangeGroup[];
	/** Every pod that is not safe: those with a coming eviction, then the others. */
	troubled: readonly PodForecast[];
	counts: Readonly<Record<PodVerdict, number>>;
	/** The indexes of the `troubled` pods before sorting. */
	order: PodOrder;
}>;

/** Pods, and their sorted order as indexes. */
type PodOrder = {readonly pods: readonly PodForecast[]; readonly order: readonly number[]};

type NodeDigest = {
	/** The nodes that are not healthy. */
	readonly troubled: readonly NodeForecast[];
	readonly silence: ReadonlyMap<string, SilentNodes>;
};

export type RangeGroup = {readonly range: Range; readonly certainty: Certainty; readonly count: number};

/** The number of pods of a node, and of coming evictions among them. */
type PodsOfNode = {readonly all: number; readonly coming: number};

/** Data of a forecast that many rows and frames need; each part is computed when first used. */
export class Digest {
	readonly forecast: Forecast;
	readonly #before: PodOrder | undefined;
	/** Whether the frames of the previous forecast showed them. */
	readonly #hadByNode: boolean = false;
	readonly #hadNodeRows: boolean = false;
	/** Whether a frame of this one does. */
	#hasByNode = false;
	#hasNodeRows = false;
	#pods: PodDigest | undefined;
	#nodes: NodeDigest | undefined;
	#names: SharedNames | undefined;
	#byNode: ReadonlyMap<string, PodsOfNode> | undefined;
	#nodeRows: readonly NodeForecast[] | undefined;
	readonly #folded = new Map<readonly PodForecast[], readonly PodRow[]>();
	readonly #inNamespaces = new Map<string, ShownForecast>();

	/** @param before the digest of the previous forecast */
	constructor(forecast: Forecast, before?: Digest) {
		this.forecast = forecast;
		if (!before) return;
		this.#before = before.#pods?.order;
		this.#hadByNode = before.#hasByNode;
		this.#hadNodeRows = before.#hasNodeRows;
	}

	/** Computes what every view and the one on the screen show, so that the first frame is as fast as any other. */
	*prepare(): Pausable<void> {
		this.#pods ??= yield* digestPods(this.forecast, this.#before);
		for (const pods of [this.#pods.coming, this.#pods.troubled]) {
			yield;
			this.folded(pods);
		}
		void this.names;
		yield;
		void this.nodes;
		yield;
		if (this.#hadByNode) this.#byNode ??= countByNode(this.forecast.pods);
		yield;
		if (this.#hadNodeRows) this.#nodeRows ??= orderNodes(this.forecast.nodes);
	}

	get pods(): PodDigest {
		this.#pods ??= finish(digestPods(this.forecast, this.#before));
		return this.#pods;
	}

	get nodes(): NodeDigest {
		this.#nodes ??= digestNodes(this.forecast.nodes);
		return this.#nodes;
	}

	/** The common parts of all node and zone names. */
	get names(): SharedNames {
		this.#names ??= new SharedNames(this.forecast);
		return this.#names;
	}

	podsOf(node: string): PodsOfNode | undefined {
		this.#hasByNode = true;
		this.#byNode ??= countByNode(this.forecast.pods);
		return this.#byNode.get(node);
	}

	/** The nodes closest to losing their pods first, those under pressure before healthy ones. */
	get nodeRows(): readonly NodeForecast[] {
		this.#hasNodeRows = true;
		this.#nodeRows ??= orderNodes(this.forecast.nodes);
		return this.#nodeRows;
	}

	/** The same pods in the same order, with similar ones folded into one row at the place of the first. */
	folded(pods: readonly PodForecast[]): readonly PodRow[] {
		return kept(this.#folded, pods, () => foldedRows(pods));
	}

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

function* digestPods(forecast: Forecast, before: PodOrder | undefined): Pausable<PodDigest> {
	const counts = {...noPods} as Record<PodVerdict, number>;
	const unsorted: PodForecast[] = [];
	for (const pod of forecast.pods) {
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
	const pending = sure.filter(isPending);
	const evictions = new EvictionCounts(pending, forecast);
	const half = evictions.half();
	yield;
	const start = startOfEvictions({...forecast, pods: sure});
	yield;
	const groups = groupsOf(coming);
	yield;
	return {coming, sure, start, evictions, half, ends, groups, troubled, counts, order};
}

const digestNodes = (nodes: readonly NodeForecast[]): NodeDigest => ({
	troubled: nodes.filter((node) => !isWellNode(node)),
	silence: silenceByZone(nodes),
});

const orderNodes = (nodes: readonly NodeForecast[]) =>
	grouped(nodes, rankOf)
		.sort(([a], [b]) => a - b)
		.flatMap(([, alike]) => alike.toSorted((a, b) => compareNames(a.name, b.name)));

/** Those in trouble first, by verdict. Names are compared only within one rank: of thousands of nodes most are alike. */
const rankOf = (node: NodeForecast) =>
	nodeVerdicts.indexOf(node.verdict) +
	(isWellNode(node) && node.pressure === undefined ? nodeVerdicts.length : 0);

const noPods = Object.fromEntries(Object.keys(podVerdicts).map((verdict) => [verdict, 0]));

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

/** The maximum length of a range in the key, in half seconds; longer ranges fill the timeline anyway. */
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

/** Sorts by urgency, fast for tens of thousands of pods each second: the previous order is nearly always almost right. */
function* orderByUrgency(pods: readonly PodForecast[], before: PodOrder | undefined): Pausable<PodOrder> {
	const keys = Float64Array.from(pods, urgencyOf);
	yield;
	const isKnown =
		pods.length === before?.pods.length && pods.every(({uid}, index) => uid === before.pods[index]?.uid);
	const order = isKnown ? [...before.order] : Array.from(pods.keys());
	const podAt = (index: number) => pods[index] as PodForecast;
	yield;
	order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || comparePodNames(podAt(a), podAt(b)));
	return {pods, order};
}

/** The nodes of a zone that have stopped renewing, before any condition changes. */
type SilentNodes = Readonly<{
	word: 'silent' | 'late';
	count: number;
	name: string;
	/** When the first of them last renewed; undefined if none ever did. */
	heardAt: number | undefined;
	/** When the first of them becomes Unknown. */
	first: Range | undefined;
}>;

/** The silent nodes by zone. Late nodes are shown only if no node is silent, because most of them renew a moment later. */
function silenceByZone(nodes: readonly NodeForecast[]): ReadonlyMap<string, SilentNodes> {
	const word = nodes.some(({verdict}) => verdict === 'Silent') ? 'silent' : 'late';
	const unheard = nodes.filter(({verdict}) => verdict === (word === 'silent' ? 'Silent' : 'Late'));
	const zones = grouped(unheard, ({zone}) => zone);
	return new Map(zones.map(([zone, its]) => [zone, silenceOf(word, its)]));
}

function silenceOf(word: SilentNodes['word'], nodes: readonly NodeForecast[]): SilentNodes {
	const heard = nodes.flatMap(({lastRenewal}) => lastRenewal ?? []);
	const firsts = nodes.flatMap(({unknown}) => unknown ?? []);
	return {
		word,
		count: nodes.length,
		name: nodes[0]?.name ?? '',
		heardAt: heard.length === 0 ? undefined : minOf(heard),
		first: firsts.toSorted(ascending(({earliest}) => earliest))[0],
	};
}
