import type {Forecast} from '../../forecast/forecast.ts';
import type {NodeForecast} from '../../forecast/nodeForecast.ts';
import type {PodForecast, PodVerdict} from '../../forecast/podForecast.ts';
import {pods as podKind} from '../../print/pods.ts';

/** What is worked out of a forecast once, and used by every frame that shows it. */
export type Digest = {
	/** Pods whose eviction has a time, in the order in which they are shown. */
	readonly coming: readonly PodForecast[];
	/** Every pod that is not safe: those that are coming, then the others. */
	readonly troubled: readonly PodForecast[];
	readonly podCounts: Readonly<Record<PodVerdict, number>>;
	/** The nodes that are not well. */
	readonly troubledNodes: readonly NodeForecast[];
	readonly nodesByZone: ReadonlyMap<string, readonly NodeForecast[]>;
	/** How many pods of each node are not safe, and of those, how many are coming. */
	readonly podsByNode: ReadonlyMap<string, {readonly all: number; readonly coming: number}>;
};

const digests = new WeakMap<Forecast, Digest>();

/** The digest of a forecast. */
export function digestOf(forecast: Forecast): Digest {
	const known = digests.get(forecast);
	if (known) return known;
	const digest = makeDigest(forecast);
	digests.set(forecast, digest);
	return digest;
}

function makeDigest({pods, nodes}: Forecast): Digest {
	const podCounts = {...noPods};
	const podsByNode = new Map<string, {all: number; coming: number}>();
	const troubled: PodForecast[] = [];
	for (const pod of pods) {
		podCounts[pod.verdict] += 1;
		const onNode = podsByNode.get(pod.node) ?? {all: 0, coming: 0};
		podsByNode.set(pod.node, onNode);
		onNode.all += 1;
		if (pod.eviction !== null) onNode.coming += 1;
		if (pod.verdict !== 'Safe') troubled.push(pod);
	}
	troubled.sort(compareUrgency);
	return {
		coming: troubled.filter(({eviction}) => eviction !== null),
		troubled,
		podCounts,
		troubledNodes: nodes.filter(({verdict}) => verdict !== 'Healthy'),
		nodesByZone: Map.groupBy(nodes, ({zone}) => zone),
		podsByNode,
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

/**
 * Pods by when they go. Within one second it is the names that decide: ranges that are reckoned anew each second differ
 * by milliseconds, and rows must not trade places for that.
 */
export function compareUrgency(a: PodForecast, b: PodForecast): number {
	const [at, bt] = [secondOf(a), secondOf(b)];
	if (at !== undefined && bt !== undefined) {
		const isOverdue = Number(b.verdict === 'Overdue') - Number(a.verdict === 'Overdue');
		return isOverdue || at - bt || compareNames(a, b);
	}
	return podKind.compare(a, b);
}

const secondOf = ({eviction}: PodForecast): number | undefined =>
	eviction === null ? undefined : Math.floor(eviction.earliest / 1000);

const compareNames = (a: PodForecast, b: PodForecast): number =>
	podKind.compare({...a, eviction: null}, {...b, eviction: null});
