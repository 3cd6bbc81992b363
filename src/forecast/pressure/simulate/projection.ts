import {kept} from '../../../core/collections/kept.ts';
import {exceededLimits, hasStorageLimit} from '../../../core/nodepressure/localStorageLimits.ts';
import type {NodePod} from '../../../core/nodepressure/nodePod.ts';
import {int64Of} from '../../../core/nodepressure/quantities/quantity.ts';
import {podUsage} from '../../../core/nodepressure/ranking.ts';
import type {NodeStats, PodStats, Summary} from '../../../core/nodepressure/summary.ts';
import type {Observations} from '../../../core/nodepressure/thresholds/observations.ts';
import {resourceOf, type Signal, type StarvedResource} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {isTaken, usageOfGone} from '../observe/gonePods.ts';
import {type AmountKind, mapAmounts, notNegative} from '../observe/podAmounts.ts';
import type {PressureSituation} from '../situation.ts';
import {withAvailable} from './withAvailable.ts';

/** Which end of its uncertainty a trend is taken at. */
export type Course = 'steepest' | 'median' | 'flattest';

/**
 * How much a pod grows, by its UID: from 0 for the least that fits what was measured, over 0.5 for what is most likely, to
 * 1 for the most.
 */
export type GrowthShare = (uid: string) => number;

/** What a projection takes for granted of what cannot be seen. */
type ProjectionCourse = {
	readonly course: Course;
	readonly share: GrowthShare;
	/** Whether the kubelet's statistics of pods are as old as they may be. */
	readonly isSlow: boolean;
};

const kindOf: Readonly<Record<StarvedResource, AmountKind>> = {
	memory: 'memory',
	'ephemeral-storage': 'bytes',
	inodes: 'inodes',
	pids: 'processes',
};

/** Statistics of pods other than volumes are cached for at most so long. */
export const cachedFor: Duration = 20 * second;

/** A second, and at once. */
type GrowingAmount = {readonly slope: number; readonly off: number};

/** A pod that takes so much a second of what a signal is about, until it has no room left under a limit of its own. */
type Taker = {readonly slope: number; readonly room: number};

/** The memory that a pod's containers may take together, in bytes; without bound where one of them has no limit. */
const memoryLimit = ({containers}: NodePod): number =>
	containers.reduce((sum, {limits: {memory}}) => sum + (memory ? Number(int64Of(memory)) : Infinity), 0);

/**
 * A node's statistics at a later instant: its signals go on as they went, pods grow as they grew, and those that were
 * killed have given back what they had and grow no more.
 */
export class Projection {
	readonly #situation: PressureSituation;
	readonly #course: ProjectionCourse;
	/** The amounts of pods that count. */
	readonly #kinds: ReadonlySet<AmountKind>;
	readonly #pods: ReadonlyMap<string, NodePod>;
	/** Those with limits of their own storage. */
	readonly #limited: ReadonlyMap<string, NodePod>;
	readonly #given: ReadonlyMap<Signal, bigint>;
	/** The signals with a threshold. */
	readonly #judged: ReadonlySet<Signal>;
	readonly #growing = new Map<string, ReadonlyMap<string, GrowingAmount>>();
	readonly #ending = new Map<Signal, number>();
	readonly #takers = new Map<Signal, readonly Taker[]>();

	/** @param near the signals that count */
	constructor(situation: PressureSituation, near: readonly Signal[], course: ProjectionCourse) {
		this.#situation = situation;
		this.#course = course;
		this.#kinds = new Set(near.map((signal) => kindOf[resourceOf(signal)]));
		this.#pods = new Map(situation.pods.map((pod) => [pod.uid, pod]));
		this.#limited = new Map([...this.#pods].filter(([, pod]) => hasStorageLimit(pod)));
		this.#judged = new Set(situation.thresholds.map(({signal}) => signal));
		this.#given = new Map(near.map((signal) => [signal, this.#givenBack(signal)]));
	}

	/** The statistics at `now`, some pods having ended. */
	at(now: Instant, ended: ReadonlySet<string>): Summary {
		const pods = this.#situation.newest.summary.pods
			.filter(({uid}) => !ended.has(uid) && this.#pods.has(uid))
			.map((stats) => this.podAt(stats, now, true));
		return {node: this.nodeAt(now, ended), pods};
	}

	/** Whether a pod that has not ended is over a limit of its own storage at `now`. */
	isOverLimitAt(now: Instant, ended: ReadonlySet<string>): boolean {
		const {newest, fileSystems} = this.#situation;
		return newest.summary.pods.some((stats) => {
			const pod = ended.has(stats.uid) ? undefined : this.#limited.get(stats.uid);
			return pod && exceededLimits(pod, this.podAt(stats, now, true), fileSystems).length > 0;
		});
	}

	/** The node's own statistics at `now`; signals without a threshold stay as they are. */
	nodeAt(now: Instant, ended: ReadonlySet<string>): NodeStats {
		return withAvailable(this.#situation.newest.summary, this.#leftAt(now, ended), now);
	}

	/** What its kubelet reads out of these of the signals with a threshold, but for their times. */
	observationsAt(now: Instant, ended: ReadonlySet<string>): Observations {
		const {observations} = this.#situation;
		return new Map(
			[...this.#leftAt(now, ended)].map(([signal, left]) => [
				signal,
				{available: BigInt.asIntN(64, left), capacity: observations.get(signal)?.capacity ?? 0n},
			]),
		);
	}

	#leftAt(now: Instant, ended: ReadonlySet<string>): ReadonlyMap<Signal, bigint> {
		const {observations} = this.#situation;
		const gone = this.#statsOfEnded(ended, now);
		const left = new Map<Signal, bigint>();
		for (const signal of this.#judged) {
			const observed = observations.get(signal);
			if (!observed) continue;
			const seconds = Math.max(0, now - this.#measuredAt(signal)) / second;
			const moved = this.#moved(signal, seconds) + this.#regained(signal, gone);
			// Down, as `crossing` reckons: half a byte less is below a threshold.
			left.set(signal, observed.available + (this.#given.get(signal) ?? 0n) + BigInt(Math.floor(moved)));
		}
		return left;
	}

	/**
	 * A pod's statistics at a later instant.
	 *
	 * @param isCached whether as its kubelet has them then, which may be older
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
			const seconds = (now - lag - Math.min(time ?? newest.seenAt, newest.seenAt)) / second;
			if (seconds <= 0) return value;
			return notNegative(value + BigInt(Math.round(own.slope * seconds + own.off)));
		});
	}

	/** With the volumes that no measurement tells of yet: what lies in them may be all that the node has lost meanwhile. */
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

	/** The amounts of a pod that count and move, by name: how fast, and how far off they may be. */
	#growingOf(uid: string): ReadonlyMap<string, GrowingAmount> {
		const known = this.#growing.get(uid);
		if (known) return known;
		const history = this.#situation.trends.pods.get(uid);
		const isLimited = this.#limited.has(uid);
		const found = new Map<string, GrowingAmount>();
		if (history && (this.#kinds.size > 0 || isLimited)) {
			const share = this.#course.share(uid);
			mapAmounts(this.#withUnmeasured(history.newest), (amount) => {
				if (!this.#kinds.has(amount.kind) && !(isLimited && amount.kind === 'bytes')) return amount.value;
				const {least, median, most, noise, isKnown} = history.growthOf(amount);
				const top = isKnown ? most : Math.max(most, this.#fall(amount.kind));
				const slope =
					share <= 0.5 ? least + (median - least) * share * 2 : median + (top - median) * (share * 2 - 1);
				const off = noise * (share * 2 - 1);
				if (slope !== 0 || off !== 0) found.set(amount.name, {slope, off});
				return amount.value;
			});
		}
		this.#growing.set(uid, found);
		return found;
	}

	/** How fast a node loses at the most of what an amount is one of: whose growth is not known may take all of it. */
	#fall(kind: AmountKind): number {
		const falls = [...this.#situation.trends.signals]
			.filter(([signal]) => kindOf[resourceOf(signal)] === kind)
			.map(([, {perSecond}]) => -perSecond.low);
		return Math.max(0, ...falls);
	}

	#measuredAt(signal: Signal): Instant {
		const {observations, newest} = this.#situation;
		return Math.min(observations.get(signal)?.time ?? newest.seenAt, newest.seenAt);
	}

	#moved(signal: Signal, seconds: number): number {
		const trend = this.#situation.trends.signals.get(signal);
		if (!trend) return 0;
		const {low, median, high} = trend.perSecond;
		if (this.#course.course === 'median') return median * seconds;
		// What only the last step shows counts where it makes a signal near.
		const steepest = this.#given.has(signal) ? low : (trend.lowBefore ?? low);
		if (this.#course.course === 'steepest') return steepest * seconds - trend.noise;
		const fall = Math.min(0, high + this.#ends(signal)) * seconds;
		return Math.max(fall, -this.#explained(signal, seconds)) + trend.noise;
	}

	/** What pods are seen to take in that time, and may: the rest may be of other programs, or end with any pod. */
	#explained(signal: Signal, seconds: number): number {
		return kept(this.#takers, signal, () => this.#takersOf(signal)).reduce((sum, {slope, room}) => {
			const taken = slope * seconds;
			// The kernel kills a container that reaches its limit, which gives back all.
			return taken > room ? sum : sum + taken;
		}, 0);
	}

	#takersOf(signal: Signal): readonly Taker[] {
		const {trends, fileSystems} = this.#situation;
		return [...this.#pods].flatMap(([uid, pod]) => {
			const history = trends.pods.get(uid);
			if (!history) return [];
			const grown = mapAmounts(history.newest, (amount) => {
				const {median} = history.growthOf(amount);
				return amount.value + BigInt(Math.round(Math.max(0, median) * 1000));
			});
			const usage = (stats: PodStats) => Number(podUsage(pod, stats, signal, fileSystems));
			const slope = (usage(grown) - usage(history.newest)) / 1000;
			const limit = resourceOf(signal) === 'memory' ? memoryLimit(pod) : Number.POSITIVE_INFINITY;
			return slope > 0 ? [{slope, room: limit - usage(history.newest)}] : [];
		});
	}

	/** What pods take a second that have come lately: they may be starting, which ends. */
	#ends(signal: Signal): number {
		const known = this.#ending.get(signal);
		if (known !== undefined) return known;
		const {trends, fileSystems, evidence} = this.#situation;
		const since = evidence.samples[0]?.seenAt ?? 0;
		let ends = 0;
		for (const [uid, pod] of this.#pods) {
			const history = trends.pods.get(uid);
			if (!history?.mayHaveStartedAfter(since)) continue;
			// A thousand seconds of it: amounts are whole numbers.
			const grown = mapAmounts(history.newest, (amount) => {
				const {median, isFirm} = history.growthOf(amount);
				return amount.value + BigInt(isFirm ? 0 : Math.round(Math.max(0, median) * 1000));
			});
			const usage = (stats: PodStats) => podUsage(pod, stats, signal, fileSystems);
			ends += Number(usage(grown) - usage(history.newest)) / 1000;
		}
		this.#ending.set(signal, ends);
		return ends;
	}

	/** What pods that ended would have by `now`. */
	#statsOfEnded(ended: ReadonlySet<string>, now: Instant): readonly (readonly [NodePod, PodStats])[] {
		return [...ended].flatMap((uid): (readonly [NodePod, PodStats])[] => {
			const pod = this.#pods.get(uid);
			const stats = this.#situation.trends.pods.get(uid)?.newest;
			return pod && stats ? [[pod, this.podAt(stats, now, false)]] : [];
		});
	}

	/** What the pods that ended gave back: what they had, and all that they would have taken since. */
	#regained(signal: Signal, gone: readonly (readonly [NodePod, PodStats])[]): number {
		const {fileSystems} = this.#situation;
		return gone.reduce((sum, [pod, stats]) => sum + Number(podUsage(pod, stats, signal, fileSystems)), 0);
	}

	/** What the newest measurement does not know yet that pods gave back, which are gone. */
	#givenBack(signal: Signal): bigint {
		const {trends, fileSystems} = this.#situation;
		const at = this.#measuredAt(signal);
		return trends.gone
			.filter((one) => {
				const taken = isTaken(one, signal, at);
				return taken === 'yes' || (taken === 'maybe' && this.#course.course !== 'steepest');
			})
			.reduce((sum, one) => sum + usageOfGone(one, signal, at, fileSystems), 0n);
	}
}
