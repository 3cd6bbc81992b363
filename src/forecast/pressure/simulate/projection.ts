import {podDiskUsage} from '../../../core/nodepressure/diskUsage.ts';
import {diskParts} from '../../../core/nodepressure/fileSystemLayout.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {type PodStats, type Summary, statsByUid} from '../../../core/nodepressure/summary.ts';
import type {FileSystems} from '../../../core/nodepressure/thresholds/containerFsThresholds.ts';
import {type Observations, observeSignals} from '../../../core/nodepressure/thresholds/observations.ts';
import {type Signal, signals} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {SummarySample} from '../observe/pressureEvidence.ts';
import {pointsOf, signalTrend} from '../observe/series.ts';
import {robustTrend, type Trend} from '../observe/trend.ts';
import {withAvailable} from './withAvailable.ts';

/** Which end of its uncertainty a trend is taken at. */
export type Course = 'steepest' | 'median' | 'flattest';

/** Evicted pods end a few seconds after their eviction is reported. */
const settling: Duration = 5 * second;

/** The trends of a node: what its signals do, and what each pod's memory does. */
export type NodeTrends = {
	readonly signals: ReadonlyMap<Signal, Trend>;
	/** Bytes of memory a second, by UID; pods of which too little was seen stay as they are. */
	readonly podMemory: ReadonlyMap<string, number>;
};

/**
 * The trends that a node's samples show. An eviction gives back at once what nobody's slope tells of: what the node has
 * left is only reckoned from what was measured after the last one.
 */
export function nodeTrends(
	samples: readonly SummarySample[],
	lastEvictionAt: Instant = Number.NEGATIVE_INFINITY,
): NodeTrends {
	const since = samples.filter(({seenAt}) => seenAt > lastEvictionAt + settling);
	const ofSignals = signals.map((signal) => [signal, signalTrend(since, signal)] as const);
	const uids = new Set(samples.flatMap(({summary}) => summary.pods.map(({uid}) => uid)));
	const indexed = samples.map(({seenAt, summary}) => ({seenAt, summary, stats: statsByUid(summary)}));
	const podMemory = [...uids].map((uid) => {
		const points = pointsOf(
			indexed.map(({seenAt, stats}) => ({seenAt, summary: {node: {}, pods: podsOf(stats.get(uid))}})),
			({pods: [pod]}) => {
				const {workingSetBytes, time} = pod?.memory ?? {};
				return workingSetBytes === undefined ? undefined : {value: workingSetBytes, time};
			},
		);
		return [uid, robustTrend(points)?.perSecond.median ?? 0] as const;
	});
	return {
		signals: new Map(ofSignals.filter((entry): entry is [Signal, Trend] => entry[1] !== undefined)),
		podMemory: new Map(podMemory),
	};
}

const podsOf = (stats: PodStats | undefined): readonly PodStats[] => (stats ? [stats] : []);

/**
 * A node's statistics at a later instant: its signals go on as they went, pods grow as they grew, and those that were
 * killed have given back what they had and grow no more.
 */
export class Projection {
	readonly #base: Summary;
	readonly #seenAt: Instant;
	readonly #pods: readonly NodePod[];
	readonly #trends: NodeTrends;
	readonly #course: Course;
	readonly #fileSystems: FileSystems;
	readonly #observed: Observations;

	constructor(
		newest: SummarySample,
		pods: readonly NodePod[],
		trends: NodeTrends,
		course: Course,
		fileSystems: FileSystems,
	) {
		this.#base = newest.summary;
		this.#seenAt = newest.seenAt;
		this.#pods = pods;
		this.#trends = trends;
		this.#course = course;
		this.#fileSystems = fileSystems;
		this.#observed = observeSignals(newest.summary);
	}

	/** The statistics at `now`, some pods having ended. */
	at(now: Instant, ended: ReadonlySet<string>): Summary {
		const pods = this.#base.pods.filter(({uid}) => !ended.has(uid)).map((stats) => this.#grown(stats, now));
		const left = new Map(
			[...this.#observed].map(([signal, {available, time}]) => {
				const since = Math.max(0, now - Math.min(time ?? this.#seenAt, this.#seenAt)) / second;
				const moved = this.#moved(signal, since) + this.#regained(signal, ended, since);
				// Down, as `crossing` reckons: half a byte less is below a threshold.
				return [signal, available + BigInt(Math.floor(moved))] as const;
			}),
		);
		return {node: withAvailable(this.#base, left, now), pods};
	}

	#grown(stats: PodStats, now: Instant): PodStats {
		const {workingSetBytes, time} = stats.memory ?? {};
		if (!stats.memory || workingSetBytes === undefined) return stats;
		const since = Math.max(0, now - Math.min(time ?? this.#seenAt, this.#seenAt)) / second;
		const grown = workingSetBytes + BigInt(Math.round(since * (this.#trends.podMemory.get(stats.uid) ?? 0)));
		return {...stats, memory: {...stats.memory, workingSetBytes: grown < 0n ? 0n : grown}};
	}

	#moved(signal: Signal, seconds: number): number {
		const trend = this.#trends.signals.get(signal);
		if (!trend) return 0;
		const {low, median, high} = trend.perSecond;
		if (this.#course === 'median') return median * seconds;
		return this.#course === 'steepest' ? low * seconds - trend.noise : high * seconds + trend.noise;
	}

	/** What the pods that ended gave back: what they had at the base, and all that they would have taken since. */
	#regained(signal: Signal, ended: ReadonlySet<string>, seconds: number): number {
		if (ended.size === 0) return 0;
		let regained = 0;
		for (const stats of this.#base.pods) {
			const pod = ended.has(stats.uid) ? this.#pods.find(({uid}) => uid === stats.uid) : undefined;
			if (!pod) continue;
			regained += Number(usageOf(signal, pod, stats, this.#fileSystems));
			if (isMemory(signal)) regained += Math.max(0, this.#trends.podMemory.get(stats.uid) ?? 0) * seconds;
		}
		return regained;
	}
}

const isMemory = (signal: Signal): boolean =>
	signal === 'memory.available' || signal === 'allocatableMemory.available';

/** What a pod gives back of a signal when it ends. */
export function usageOf(signal: Signal, pod: NodePod, stats: PodStats, fileSystems: FileSystems): bigint {
	if (isMemory(signal)) return BigInt.asIntN(64, stats.memory?.workingSetBytes ?? 0n);
	if (signal === 'pid.available') return stats.processCount ?? 0n;
	const measure = signal.endsWith('inodesFree') ? 'inodesUsed' : 'usedBytes';
	return podDiskUsage(pod, stats, diskParts(signal, fileSystems), measure);
}
