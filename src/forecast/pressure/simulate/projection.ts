import {maxOf} from '../../../core/collections/extremes.ts';
import {kept} from '../../../core/collections/kept.ts';
import {mapBy} from '../../../core/collections/mapBy.ts';
import {exceededLimits, hasStorageLimit} from '../../../core/nodepressure/localStorageLimits.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {int64Of} from '../../../core/nodepressure/quantities/quantity.ts';
import {podUsage} from '../../../core/nodepressure/ranking.ts';
import {type PodStats, statsByUid} from '../../../core/nodepressure/summary.ts';
import type {FileSystems} from '../../../core/nodepressure/thresholds/containerFsThresholds.ts';
import type {MeasuredSummary, Observations} from '../../../core/nodepressure/thresholds/observations.ts';
import {resourceOf, type Signal, type StarvedResource} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {type Growth, mapAmounts, notNegative, type PodHistory} from '../observe/podAmounts.ts';
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

/** Adds the volumes without measurements: they may hold everything that the node has lost meanwhile. */
function withUnmeasured(stats: PodStats, pod: NodePod | undefined, time: Instant | undefined): PodStats {
	const unmeasured = (pod?.volumes ?? []).filter(
		({name, kind, medium = ''}) =>
			kind === 'emptyDir' && medium === '' && !stats.volumes.some((one) => one.name === name),
	);
	if (unmeasured.length === 0 || time === undefined) return stats;
	const empty = {time, usedBytes: 0n, inodesUsed: 0n};
	return {...stats, volumes: [...stats.volumes, ...unmeasured.map(({name}) => ({name, ...empty}))]};
}

/**
 * Projects pods, of which each grows as far as a share of its growth says.
 *
 * @param near the relevant signals
 */
export function podsAhead(
	situation: PressureSituation,
	near: readonly Signal[],
	{share, isSlow}: Pick<ProjectionCourse, 'share' | 'isSlow'>,
) {
	const {newest, trends, settings} = situation;
	const resources: ReadonlySet<StarvedResource> = new Set(near.map(resourceOf));
	const pods = mapBy(situation.pods, (pod) => pod.uid);
	const growing = new Map<string, ReadonlyMap<string, GrowingAmount>>();
	const whole = (stats: PodStats) =>
		withUnmeasured(stats, pods.get(stats.uid), trends.pods.get(stats.uid)?.firstSeenAt);

	/** The fastest loss of a node of a resource: a pod with unknown growth may take all of it. */
	const fallOf = (resource: StarvedResource): number =>
		maxOf(
			[...trends.signals].flatMap(([signal, {perSecond}]) =>
				resourceOf(signal) === resource ? -perSecond.low : [],
			),
			0,
		);

	/** The relevant amounts of a pod that change, by name: how fast, and how far off they may be. */
	const growingOf = (uid: string): ReadonlyMap<string, GrowingAmount> =>
		kept(growing, uid, () => {
			const history = trends.pods.get(uid);
			const pod = pods.get(uid);
			const isLimited = pod && hasStorageLimit(pod);
			const found = new Map<string, GrowingAmount>();
			if (!history || (resources.size === 0 && !isLimited)) return found;
			const part = share(uid);
			mapAmounts(whole(history.newest), (amount) => {
				const {name, resource, value} = amount;
				if (!resources.has(resource) && !(isLimited && resource === 'ephemeral-storage')) return value;
				const {least, median, most, noise, isKnown} = history.growthOf(amount);
				const top = isKnown ? most : Math.max(most, fallOf(resource));
				const slope =
					part <= 0.5 ? least + (median - least) * part * 2 : median + (top - median) * (part * 2 - 1);
				const off = noise * (part * 2 - 1);
				if (slope !== 0 || off !== 0) found.set(name, {slope, off});
				return value;
			});
			return found;
		});

	/**
	 * A pod's statistics at a later instant.
	 *
	 * @param isCached whether as the kubelet has them then, which may be older
	 */
	return (stats: PodStats, now: Instant, isCached: boolean): PodStats => {
		const amounts = growingOf(stats.uid);
		if (amounts.size === 0) return stats;
		return mapAmounts(whole(stats), ({name, value, time, isOfVolume}) => {
			const own = amounts.get(name);
			if (!own) return value;
			const lag = isCached && isSlow ? (isOfVolume ? 2 * settings.volumeStatsAggPeriod : cachedFor) : 0;
			const seconds = (now - lag - whenMeasured(time, newest.seenAt)) / second;
			if (seconds <= 0) return value;
			return notNegative(value + BigInt(Math.round(own.slope * seconds + own.off)));
		});
	};
}

/** What a pod takes of a signal's resource per second, if each of its amounts grows at a pace above zero. */
function takenBy(
	pod: NodePod,
	history: PodHistory,
	signal: Signal,
	fileSystems: FileSystems,
	pace: (growth: Growth) => number,
): number {
	// For a thousand seconds: amounts are whole numbers.
	const grown = mapAmounts(history.newest, (amount) => {
		const perSecond = Math.max(0, pace(history.growthOf(amount)));
		return amount.value + BigInt(Math.round(perSecond * 1000));
	});
	const usage = (stats: PodStats) => podUsage(pod, stats, signal, fileSystems);
	return Number(usage(grown) - usage(history.newest)) / 1000;
}

/** How far signals move from the newest measurement on, in seconds, if no pod ends. */
function signalsAhead(situation: PressureSituation, near: readonly Signal[], course: TrendEnd) {
	const {trends, fileSystems} = situation;
	const pods = situation.pods.flatMap((pod) => {
		const history = trends.pods.get(pod.uid);
		return history ? [{pod, history}] : [];
	});
	const ending = new Map<Signal, number>();
	const takers = new Map<Signal, readonly Taker[]>();

	const takersOf = (signal: Signal): readonly Taker[] =>
		pods.flatMap(({pod, history}) => {
			const slope = takenBy(pod, history, signal, fileSystems, ({median}) => median);
			const limit = resourceOf(signal) === 'memory' ? memoryLimit(pod) : Infinity;
			const used = Number(podUsage(pod, history.newest, signal, fileSystems));
			return slope > 0 ? [{slope, room: limit - used}] : [];
		});

	/** What pods are seen to take in that time: the rest may be of other programs, or end with any pod. */
	const explained = (signal: Signal, seconds: number): number =>
		kept(takers, signal, () => takersOf(signal)).reduce((sum, {slope, room}) => {
			const taken = slope * seconds;
			// The kernel kills a container that reaches its limit, which frees everything.
			return taken > room ? sum : sum + taken;
		}, 0);

	/** What recently created pods take per second beyond their settled growth: they may be starting, which ends. */
	const endsOf = (signal: Signal): number =>
		kept(ending, signal, () =>
			pods
				.filter(({history}) => history.mayHaveStarted)
				.reduce(
					(sum, {pod, history}) =>
						sum + takenBy(pod, history, signal, fileSystems, ({median, settled}) => median - settled),
					0,
				),
		);

	return (signal: Signal, seconds: number): number => {
		const trend = trends.signals.get(signal);
		if (!trend) return 0;
		const {low, median, high} = trend.perSecond;
		if (course === 'median') return median * seconds;
		// The last step alone counts only for near signals.
		const steepest = near.includes(signal) ? low : (trend.lowBefore ?? low);
		if (course === 'steepest') return steepest * seconds - trend.noise;
		const fall = Math.min(0, high + endsOf(signal)) * seconds;
		return Math.max(fall, -explained(signal, seconds)) + trend.noise;
	};
}

/**
 * A node's statistics at later instants: signals and pods follow their trends; killed pods have freed what they had.
 *
 * @param near the relevant signals
 */
export function projection(situation: PressureSituation, near: readonly Signal[], course: ProjectionCourse) {
	const {newest, observations, trends, fileSystems, thresholds} = situation;
	const podAt = podsAhead(situation, near, course);
	const movedBy = signalsAhead(situation, near, course.course);
	const pods = mapBy(situation.pods, (pod) => pod.uid);
	const limited = situation.pods.filter(hasStorageLimit);
	const stats = statsByUid(newest.summary);
	const judged = new Set(thresholds.map(({signal}) => signal));

	/** What its kubelet reads then for signals with a threshold. */
	function observationsAt(now: Instant, ended: ReadonlySet<string>): Observations {
		// They freed what they had, and everything that they would have taken since.
		const gone = [...ended].flatMap((uid) => {
			const pod = pods.get(uid);
			const stats = trends.pods.get(uid)?.newest;
			return pod && stats ? [{pod, stats: podAt(stats, now, false)}] : [];
		});
		return new Map(
			[...observations].flatMap(([signal, {available, capacity, time}]) => {
				if (!judged.has(signal)) return [];
				const seconds = Math.max(0, now - whenMeasured(time, newest.seenAt)) / second;
				const freed = gone.map(({pod, stats}) => Number(podUsage(pod, stats, signal, fileSystems)));
				const moved = freed.reduce((sum, usage) => sum + usage, 0) + movedBy(signal, seconds);
				// Rounded down, as in `crossing`: half a byte less is below a threshold.
				return [[signal, {available: available + BigInt(Math.floor(moved)), capacity, time: now}]];
			}),
		);
	}

	/** The statistics at `now`, after some pods have ended. */
	const at = (now: Instant, ended: ReadonlySet<string>): MeasuredSummary => ({
		observations: observationsAt(now, ended),
		pods: newest.summary.pods
			.filter(({uid}) => !ended.has(uid) && pods.has(uid))
			.map((stats) => podAt(stats, now, true)),
	});

	/** Whether a pod that has not ended exceeds a limit of its own storage at `now`. */
	const isOverLimitAt = (now: Instant, ended: ReadonlySet<string>) =>
		limited.some((pod) => {
			const own = ended.has(pod.uid) ? undefined : stats.get(pod.uid);
			return own && exceededLimits(pod, podAt(own, now, true), fileSystems).length > 0;
		});

	return {observationsAt, at, isOverLimitAt};
}
