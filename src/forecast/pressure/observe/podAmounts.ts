import {kept} from '../../../core/collections/kept.ts';
import type {ContainerStats, FsStats, PodStats} from '../../../core/nodepressure/summary.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import type {SummarySample} from './pressureEvidence.ts';
import {type Point, robustTrend} from './trend.ts';

/** What an amount of a pod is one of. */
export type AmountKind = 'memory' | 'bytes' | 'inodes' | 'processes';

/** One amount of a pod's statistics. */
type PodAmount = {
	/** Unique within the pod: `rootfs/app bytes`. */
	readonly name: string;
	readonly kind: AmountKind;
	readonly value: bigint;
	/** When it was measured, where its statistics say so. */
	readonly time: Instant | undefined;
	/** Whether it is of a volume, which is measured far less often than all else. */
	readonly isOfVolume: boolean;
};

/**
 * A pod's statistics with all of its amounts changed; the ephemeral storage moves with the parts that it is the sum of.
 *
 * @param change answers the new value of an amount
 */
export function mapAmounts(stats: PodStats, change: (amount: PodAmount) => bigint): PodStats {
	let hasParts = false;
	const moved = {bytes: 0n, inodes: 0n};
	const partOf = (of: FsStats | undefined, name: string, kind: 'bytes' | 'inodes', isOfVolume: boolean) => {
		const value = kind === 'bytes' ? of?.usedBytes : of?.inodesUsed;
		if (value === undefined) return {};
		hasParts = true;
		const next = change({name: `${name} ${kind}`, kind, value, time: of?.time, isOfVolume});
		moved[kind] += next - value;
		return kind === 'bytes' ? {usedBytes: next} : {inodesUsed: next};
	};
	const fs = <Stats extends FsStats>(of: Stats, name: string, isOfVolume = false): Stats => ({
		...of,
		...partOf(of, name, 'bytes', isOfVolume),
		...partOf(of, name, 'inodes', isOfVolume),
	});
	const container = (of: ContainerStats): ContainerStats => ({
		...of,
		...(of.rootfs && {rootfs: fs(of.rootfs, `rootfs/${of.name}`)}),
		...(of.logs && {logs: fs(of.logs, `logs/${of.name}`)}),
	});
	const {memory, processCount, ephemeralStorage: sum} = stats;
	const bytes = memory?.workingSetBytes;
	const single = (name: 'memory' | 'processes', value: bigint) =>
		change({name, kind: name, value, time: name === 'memory' ? memory?.time : undefined, isOfVolume: false});
	const parts = {
		containers: stats.containers.map(container),
		volumes: stats.volumes.map((of) => fs(of, `volume/${of.name}`, true)),
	};
	const ephemeral = (): FsStats | undefined => {
		if (!sum || !hasParts) return sum && fs(sum, 'ephemeral');
		return {
			...sum,
			...(sum.usedBytes !== undefined && {usedBytes: sum.usedBytes + moved.bytes}),
			...(sum.inodesUsed !== undefined && {inodesUsed: sum.inodesUsed + moved.inodes}),
		};
	};
	return {
		...stats,
		...parts,
		...(memory && bytes !== undefined && {memory: {...memory, workingSetBytes: single('memory', bytes)}}),
		...(processCount !== undefined && {processCount: single('processes', processCount)}),
		...(sum && {ephemeralStorage: ephemeral()}),
	} as PodStats;
}

/** How fast an amount grows, a second, and how far a measurement may be off. */
type Growth = {
	readonly least: number;
	readonly median: number;
	readonly most: number;
	readonly noise: number;
	/** Whether that was measured well enough; else it may take all that its node loses. */
	readonly isKnown: boolean;
	/** Whether it rests on enough points to go on for sure. */
	readonly isFirm: boolean;
};

/** The fewest measurements of an amount of a pod for a slope: volumes are measured once or twice in two minutes. */
const fewest = 2;

/** So long a pod may be starting. */
const starting: Duration = minute;
/** From fewer measurements, ten seconds apart, it may have been starting in all of them. */
const settledPoints = 7;

/** What was measured of a pod. */
export class PodAmounts {
	/** Its newest statistics, and when they came. */
	readonly newest: PodStats;
	readonly seenAt: Instant;
	readonly firstSeenAt: Instant;
	readonly #seen: readonly {readonly seenAt: Instant; readonly stats: PodStats}[];
	readonly #points = new Map<string, readonly Point[]>();
	readonly #growth = new Map<string, Growth>();

	constructor(seen: readonly [PodSample, ...PodSample[]]) {
		const last = seen.at(-1) ?? seen[0];
		this.newest = last.stats;
		this.seenAt = last.seenAt;
		this.firstSeenAt = seen[0].seenAt;
		this.#seen = seen;
	}

	/** Whether it may have been starting when it was first measured: it came after `since`, or began shortly before that. */
	mayHaveStartedAfter(since: Instant): boolean {
		const {startTime} = this.newest;
		return this.firstSeenAt > since || (startTime !== undefined && this.firstSeenAt - startTime < starting);
	}

	/** Whether it began so lately, as far as is known, that what it took in that time tells nothing of what it takes next. */
	isYoung(since: Instant): boolean {
		const {startTime = this.firstSeenAt > since ? this.firstSeenAt : Number.NEGATIVE_INFINITY} = this.newest;
		return this.seenAt - startTime < starting;
	}

	growthOf({name, isOfVolume}: Pick<PodAmount, 'name' | 'isOfVolume'>): Growth {
		return kept(this.#growth, name, () => growthOf(this.#pointsOf(name), isOfVolume));
	}

	/** Its statistics as they were at an instant up to the newest: between two measurements in proportion. */
	statsAt(at: Instant): PodStats {
		return mapAmounts(this.newest, (amount) => {
			const points = this.#pointsOf(amount.name);
			const after = points.findIndex((point) => point.at >= at);
			const [a, b] = [points[after - 1], points[after]];
			if (b && (!a || b.at === at)) return BigInt(Math.round(b.value));
			if (a && b) return BigInt(Math.round(a.value + ((b.value - a.value) * (at - a.at)) / (b.at - a.at)));
			const grown = (this.growthOf(amount).median * (at - (points.at(-1)?.at ?? at))) / second;
			return notNegative(amount.value + BigInt(Math.round(grown)));
		});
	}

	#pointsOf(name: string): readonly Point[] {
		if (this.#points.size === 0) this.#measure();
		return this.#points.get(name) ?? [];
	}

	#measure(): void {
		const points = new Map<string, Map<Instant, Point>>();
		for (const {seenAt, stats} of this.#seen) {
			mapAmounts(stats, ({name, value, time}) => {
				// A clock that is ahead of ours would put a measurement after its arrival.
				const at = Math.min(time ?? seenAt, seenAt);
				const own = points.get(name) ?? new Map<Instant, Point>();
				points.set(name, own.set(at, {at, value: Number(BigInt.asIntN(64, value))}));
				return value;
			});
		}
		for (const [name, own] of points)
			this.#points.set(
				name,
				[...own.values()].toSorted((a, b) => a.at - b.at),
			);
	}
}

type PodSample = {readonly seenAt: Instant; readonly stats: PodStats};

function growthOf(points: readonly Point[], isOfVolume: boolean): Growth {
	const trend = robustTrend(points, fewest);
	const isFirm = points.length >= settledPoints;
	if (!trend) return {least: 0, median: 0, most: 0, noise: 0, isKnown: false, isFirm};
	const {low, median, high} = trend.perSecond;
	const isKnown = isFirm || (!isOfVolume && points.length > fewest);
	return {least: low, median, most: high, noise: trend.noise, isKnown, isFirm};
}

/** What was measured of each pod, by UID. */
export function podAmounts(samples: readonly SummarySample[]): ReadonlyMap<string, PodAmounts> {
	const seen = new Map<string, [PodSample, ...PodSample[]]>();
	for (const {seenAt, summary} of samples) {
		for (const stats of summary.pods) {
			const own = seen.get(stats.uid);
			if (own) own.push({seenAt, stats});
			else seen.set(stats.uid, [{seenAt, stats}]);
		}
	}
	return new Map([...seen].map(([uid, own]) => [uid, new PodAmounts(own)]));
}

export const notNegative = (amount: bigint): bigint => (amount < 0n ? 0n : amount);
