import {maxOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {mapBy} from '../../../core/collections/mapBy.ts';
import {exceededLimits, hasStorageLimit} from '../../../core/nodepressure/localStorageLimits.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {int64Of} from '../../../core/nodepressure/quantities/quantity.ts';
import {podUsage} from '../../../core/nodepressure/ranking.ts';
import type {PodStats} from '../../../core/nodepressure/summary.ts';
import type {Measured, Observations} from '../../../core/nodepressure/thresholds/observations.ts';
import {resourceOf, type Signal, type StarvedResource} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Growth, mapAmounts, notNegative, type PodAmounts} from '../observe/podAmounts.ts';
import {whenMeasured} from '../observe/series.ts';
import type {PressureSituation} from '../situation.ts';

/** At which end of its uncertainty a trend is taken. */
export type TrendEnd = 'steepest' | 'median' | 'flattest';

/** How much a pod grows, by its UID: 0 is the least that fits the measurements, 0.5 the likeliest, 1 the most. */
export type GrowthShare = (uid: string) => number;

/** The assumptions of a projection about what cannot be seen. */
type ProjectionCourse = {
	readonly course: TrendEnd;
	readonly share: GrowthShare;
	/** Whether the kubelet's statistics of pods are as old as possible. */
	readonly isSlow: boolean;
};

/** Statistics of pods, except volumes, are cached for at most this long. */
export const cachedFor: Duration = 20 * second;

/** `slope` per second, and `off` at once. */
type GrowingAmount = {readonly slope: number; readonly off: number};

/** A pod that takes this much of a signal's resource per second, until it has no room left under its own limit. */
type Taker = {readonly slope: number; readonly room: number};

/** The memory that a pod's containers may take together, in bytes; unbounded if one of them has no limit. */
const memoryLimit = ({containers}: NodePod): number =>
	containers.reduce((sum, {limits: {memory}}) => sum + (memory ? Number(int64Of(memory)) : Infinity), 0);

/** A node's statistics at a later instant: signals and pods follow their trends; killed pods have freed what they had. */
export class Projection {
	readonly #situation: PressureSituation;
	readonly #course: ProjectionCourse;
	/** Of the near signals. */
	readonly #resources: ReadonlySet<StarvedResource>;
	readonly #pods: ReadonlyMap<string, NodePod>;
	/** Pods with limits of their own storage. */
	readonly #limited: ReadonlyMap<string, NodePod>;
	readonly #near: ReadonlySet<Signal>;
	/** The signals with a threshold. */
	readonly #judged: ReadonlySet<Signal>;
	readonly #growing = new Map<string, ReadonlyMap<string, GrowingAmount>>();
	readonly #ending = new Map<Signal, number>();
	readonly #takers = new Map<Signal, readonly Taker[]>();

	/** @param near the relevant signals */
	constructor(situation: PressureSituation, near: readonly Signal[], course: ProjectionCourse) {
		this.#situation = situation;
		this.#course = course;
		this.#resources = new Set(near.map(resourceOf));
		this.#pods = mapBy(situation.pods, (pod) => pod.uid);
		this.#limited = new Map([...this.#pods].filter(([, pod]) => hasStorageLimit(pod)));
		this.#judged = new Set(situation.thresholds.map(({signal}) => signal));
		this.#near = new Set(near);
	}

	/** The statistics at `now`, after some pods have ended. */
	at(now: Instant, ended: ReadonlySet<string>): Measured {
		const pods = this.#situation.newest.summary.pods
			.filter(({uid}) => !ended.has(uid) && this.#pods.has(uid))
			.map((stats) => this.podAt(stats, now, true));
		return {observations: this.observationsAt(now, ended), pods};
	}

	/** Whether a pod that has not ended exceeds a limit of its own storage at `now`. */
	isOverLimitAt(now: Instant, ended: ReadonlySet<string>): boolean {
		const {newest, fileSystems} = this.#situation;
		return newest.summary.pods.some((stats) => {
			const pod = ended.has(stats.uid) ? undefined : this.#limited.get(stats.uid);
			return pod && exceededLimits(pod, this.podAt(stats, now, true), fileSystems).length > 0;
		});
	}

	/** What its kubelet reads then for signals with a threshold. */
	observationsAt(now: Instant, ended: ReadonlySet<string>): Observations {
		const {observations, newest, trends, fileSystems} = this.#situation;
		// They freed what they had, and everything that they would have taken since.
		const gone = [...ended].flatMap((uid) => {
			const pod = this.#pods.get(uid);
			const stats = trends.pods.get(uid)?.newest;
			return pod && stats ? [{pod, stats: this.podAt(stats, now, false)}] : [];
		});
		return new Map(
			[...observations].flatMap(([signal, {available, capacity, time}]) => {
				if (!this.#judged.has(signal)) return [];
				const seconds = Math.max(0, now - whenMeasured(time, newest.seenAt)) / second;
				const freed = gone.map(({pod, stats}) => Number(podUsage(pod, stats, signal, fileSystems)));
				const moved = freed.reduce((sum, usage) => sum + usage, 0) + this.#moved(signal, seconds);
				// Rounded down, as in `crossing`: half a byte less is below a threshold.
				return [[signal, {available: available + BigInt(Math.floor(moved)), capacity, time: now}]];
			}),
		);
	}

	/**
	 * A pod's statistics at a later instant.
	 *
	 * @param isCached whether as the kubelet has them then, which may be older
	 */
	podAt(stats: PodStats, now: Instant, isCached: boolean): PodStats {
		const {newest, settings} = this.#situation;
		const growing = this.#growingOf(stats.uid);
		if (growing.size === 0) return stats;
		const known = this.#withUnmeasured(stats);
		const isOld = isCached && this.#course.isSlow;
		return mapAmounts(known, ({name, value, time, isOfVolume}) => {
			const own = growing.get(name);
			if (!own) return value;
			const lag = isOld ? (isOfVolume ? 2 * settings.volumeStatsAggPeriod : cachedFor) : 0;
			const seconds = (now - lag - whenMeasured(time, newest.seenAt)) / second;
			if (seconds <= 0) return value;
			return notNegative(value + BigInt(Math.round(own.slope * seconds + own.off)));
		});
	}

	/** Adds the volumes without measurements: they may hold everything that the node has lost meanwhile. */
	#withUnmeasured(stats: PodStats): PodStats {
		const unmeasured = (this.#pods.get(stats.uid)?.volumes ?? []).filter(
			({name, kind, medium = ''}) =>
				kind === 'emptyDir' && medium === '' && !stats.volumes.some((one) => one.name === name),
		);
		const time = this.#situation.trends.pods.get(stats.uid)?.firstSeenAt;
		if (unmeasured.length === 0 || time === undefined) return stats;
		const empty = {time, usedBytes: 0n, inodesUsed: 0n};
		return {...stats, volumes: [...stats.volumes, ...unmeasured.map(({name}) => ({name, ...empty}))]};
	}

	/** The relevant amounts of a pod that change, by name: how fast, and how far off they may be. */
	#growingOf(uid: string): ReadonlyMap<string, GrowingAmount> {
		return kept(this.#growing, uid, () => {
			const history = this.#situation.trends.pods.get(uid);
			const isLimited = this.#limited.has(uid);
			const found = new Map<string, GrowingAmount>();
			if (!history || (this.#resources.size === 0 && !isLimited)) return found;
			const share = this.#course.share(uid);
			mapAmounts(this.#withUnmeasured(history.newest), (amount) => {
				const {name, resource, value} = amount;
				if (!this.#resources.has(resource) && !(isLimited && resource === 'ephemeral-storage')) return value;
				const {least, median, most, noise, isKnown} = history.growthOf(amount);
				const top = isKnown ? most : Math.max(most, this.#fall(resource));
				const slope =
					share <= 0.5 ? least + (median - least) * share * 2 : median + (top - median) * (share * 2 - 1);
				const off = noise * (share * 2 - 1);
				if (slope !== 0 || off !== 0) found.set(name, {slope, off});
				return value;
			});
			return found;
		});
	}

	/** The fastest loss of a node of a resource: a pod with unknown growth may take all of it. */
	#fall(resource: StarvedResource): number {
		const falls = [...this.#situation.trends.signals]
			.filter(([signal]) => resourceOf(signal) === resource)
			.map(([, {perSecond}]) => -perSecond.low);
		return maxOf(falls, 0);
	}

	#moved(signal: Signal, seconds: number): number {
		const trend = this.#situation.trends.signals.get(signal);
		if (!trend) return 0;
		const {low, median, high} = trend.perSecond;
		if (this.#course.course === 'median') return median * seconds;
		// The last step alone counts only for near signals.
		const steepest = this.#near.has(signal) ? low : (trend.lowBefore ?? low);
		if (this.#course.course === 'steepest') return steepest * seconds - trend.noise;
		const fall = Math.min(0, high + this.#ends(signal)) * seconds;
		return Math.max(fall, -this.#explained(signal, seconds)) + trend.noise;
	}

	/** What pods are seen to take in that time: the rest may be of other programs, or end with any pod. */
	#explained(signal: Signal, seconds: number): number {
		return kept(this.#takers, signal, () => this.#takersOf(signal)).reduce((sum, {slope, room}) => {
			const taken = slope * seconds;
			// The kernel kills a container that reaches its limit, which frees everything.
			return taken > room ? sum : sum + taken;
		}, 0);
	}

	#takersOf(signal: Signal): readonly Taker[] {
		const {trends, fileSystems} = this.#situation;
		return [...this.#pods].flatMap(([uid, pod]) => {
			const history = trends.pods.get(uid);
			if (!history) return [];
			const slope = this.#takenBy(pod, history, signal, ({median}) => median);
			const limit = resourceOf(signal) === 'memory' ? memoryLimit(pod) : Infinity;
			const used = Number(podUsage(pod, history.newest, signal, fileSystems));
			return slope > 0 ? [{slope, room: limit - used}] : [];
		});
	}

	/** What recently created pods take per second beyond their settled growth: they may be starting, which ends. */
	#ends(signal: Signal): number {
		return kept(this.#ending, signal, () => {
			const {trends, evidence} = this.#situation;
			const since = evidence.samples[0]?.seenAt ?? 0;
			let ends = 0;
			for (const [uid, pod] of this.#pods) {
				const history = trends.pods.get(uid);
				if (!history?.mayHaveStartedAfter(since)) continue;
				ends += this.#takenBy(pod, history, signal, ({median, settled}) => median - settled);
			}
			return ends;
		});
	}

	/** What a pod takes of a signal's resource per second, if each of its amounts grows at a pace above zero. */
	#takenBy(pod: NodePod, history: PodAmounts, signal: Signal, pace: (growth: Growth) => number): number {
		const {fileSystems} = this.#situation;
		// For a thousand seconds: amounts are whole numbers.
		const grown = mapAmounts(history.newest, (amount) => {
			const perSecond = Math.max(0, pace(history.growthOf(amount)));
			return amount.value + BigInt(Math.round(perSecond * 1000));
		});
		const usage = (stats: PodStats) => podUsage(pod, stats, signal, fileSystems);
		return Number(usage(grown) - usage(history.newest)) / 1000;
	}
}
