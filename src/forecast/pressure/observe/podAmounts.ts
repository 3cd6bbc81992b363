import {grouped} from '../../../core/collections/grouped.ts';
import {kept} from '../../../core/collections/kept.ts';
import type {ContainerStats, FsStats, PodStats} from '../../../core/nodepressure/summary.ts';
import type {StarvedResource} from '../../../core/nodepressure/thresholds/signal.ts';
import {beginningOfTime, type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {SummarySample} from './pressureEvidence.ts';
import {type Measurement, pointsOf} from './series.ts';
import {type Point, robustTrend} from './trend.ts';

type PodAmount = Readonly<{
	/** Unique within the pod: `rootfs/app usedBytes`. */
	name: string;
	resource: StarvedResource;
	value: bigint;
	/** When it was measured, if its statistics include that. */
	time: Instant | undefined;
	/** Whether it is of a volume, which is measured far less often than everything else. */
	isOfVolume: boolean;
}>;

/**
 * A pod's statistics with all of its amounts changed; the ephemeral storage moves with the parts that it sums up.
 *
 * @param change returns the new value of an amount
 */
export function mapAmounts(stats: PodStats, change: (amount: PodAmount) => bigint): PodStats {
	let hasParts = false;
	const moved = {usedBytes: 0n, inodesUsed: 0n};
	const partOf = (of: FsStats, name: string, field: keyof typeof moved, isOfVolume: boolean) => {
		const value = of[field];
		if (value === undefined) return {};
		hasParts = true;
		const resource = field === 'usedBytes' ? 'ephemeral-storage' : 'inodes';
		const next = change({name: `${name} ${field}`, resource, value, time: of.time, isOfVolume});
		moved[field] += next - value;
		return {[field]: next};
	};
	const fs = <Stats extends FsStats>(of: Stats, name: string, isOfVolume = false): Stats => ({
		...of,
		...partOf(of, name, 'usedBytes', isOfVolume),
		...partOf(of, name, 'inodesUsed', isOfVolume),
	});
	const container = (of: ContainerStats): ContainerStats => ({
		...of,
		...(of.rootfs && {rootfs: fs(of.rootfs, `rootfs/${of.name}`)}),
		...(of.logs && {logs: fs(of.logs, `logs/${of.name}`)}),
	});
	const {memory, processCount, ephemeralStorage: sum} = stats;
	const bytes = memory?.workingSetBytes;
	const single = (resource: 'memory' | 'pids', value: bigint, time?: Instant) =>
		change({name: resource, resource, value, time, isOfVolume: false});
	const parts = {
		containers: stats.containers.map(container),
		volumes: stats.volumes.map((of) => fs(of, `volume/${of.name}`, true)),
	};
	const ephemeral = (of: FsStats): FsStats => {
		if (!hasParts) return fs(of, 'ephemeral');
		return {
			...of,
			...(of.usedBytes !== undefined && {usedBytes: of.usedBytes + moved.usedBytes}),
			...(of.inodesUsed !== undefined && {inodesUsed: of.inodesUsed + moved.inodesUsed}),
		};
	};
	return {
		...stats,
		...parts,
		...(memory &&
			bytes !== undefined && {memory: {...memory, workingSetBytes: single('memory', bytes, memory.time)}}),
		...(processCount !== undefined && {processCount: single('pids', processCount)}),
		...(sum && {ephemeralStorage: ephemeral(sum)}),
	} as PodStats;
}

/** How fast an amount grows per second, and how far a measurement may be off. */
export type Growth = Readonly<{
	least: number;
	median: number;
	most: number;
	noise: number;
	/** Whether that was measured well enough; if not, it may take everything that its node loses. */
	isKnown: boolean;
	/** The growth that is sure to continue: the least that fits; none while few measurements show that it is no start. */
	settled: number;
}>;

/** The fewest measurements of a pod's amount for a slope: volumes are measured once or twice in two minutes. */
const fewest = 2;

/** A pod may be starting for this long. */
const starting: Duration = minute;
/** With fewer measurements, ten seconds apart, it may have been starting in all of them. */
const settledPoints = 7;

/** What was measured of a pod. @param since when its node was first measured */
function podHistory(seen: readonly [PodSample, ...PodSample[]], since: Instant) {
	const [{seenAt: firstSeenAt}] = seen;
	const {seenAt, stats: newest} = seen.at(-1) ?? seen[0];
	const {startTime} = newest;
	const isNew = firstSeenAt > since;
	const measured = new Map<string, Measurement[]>();
	const growth = new Map<string, Growth>();
	const measure = () => {
		for (const {seenAt, stats} of seen)
			mapAmounts(stats, ({name, value, time}) => {
				kept(measured, name, () => []).push({seenAt, value: BigInt.asIntN(64, value), time});
				return value;
			});
	};
	return {
		/** Its newest statistics, and when they arrived. */
		newest,
		seenAt,
		firstSeenAt,
		/** Whether it may have been starting when first measured: it appeared later than others, or started shortly before. */
		mayHaveStarted: isNew || (startTime !== undefined && firstSeenAt - startTime < starting),
		/** Whether it started so recently that its growth until now does not show its growth from now on. */
		isYoung: seenAt - (startTime ?? (isNew ? firstSeenAt : beginningOfTime)) < starting,
		growthOf({name, isOfVolume}: PodAmount): Growth {
			if (measured.size === 0) measure();
			return kept(growth, name, () => growthOf(pointsOf(measured.get(name) ?? []), isOfVolume));
		},
	};
}

export type PodHistory = ReturnType<typeof podHistory>;

type PodSample = {readonly seenAt: Instant; readonly stats: PodStats};

function growthOf(points: readonly Point[], isOfVolume: boolean): Growth {
	const trend = robustTrend(points, fewest);
	if (!trend) return {least: 0, median: 0, most: 0, noise: 0, isKnown: false, settled: 0};
	const {low, median, high} = trend.perSecond;
	const isSettled = points.length >= settledPoints;
	return {
		least: low,
		median,
		most: high,
		noise: trend.noise,
		isKnown: isSettled || (!isOfVolume && points.length > fewest),
		settled: isSettled ? Math.max(0, low) : 0,
	};
}

/** The measurements of each pod, by UID. */
export const podHistories = (samples: readonly SummarySample[]): ReadonlyMap<string, PodHistory> =>
	new Map(
		grouped(
			samples.flatMap(({seenAt, summary}) => summary.pods.map((stats) => ({seenAt, stats}))),
			({stats}) => stats.uid,
		).map(([uid, seen]) => [uid, podHistory(seen, samples[0]?.seenAt ?? 0)]),
	);

export const notNegative = (amount: bigint): bigint => (amount < 0n ? 0n : amount);
