import {podKey} from '../../core/model/pod.ts';
import {killTimeout} from '../../core/nodepressure/killSequence.ts';
import type {FsStats, Summary} from '../../core/nodepressure/summary.ts';
import {
	type FileSystems,
	withContainerFsThresholds,
} from '../../core/nodepressure/thresholds/containerFsThresholds.ts';
import {defaultEvictionHard} from '../../core/nodepressure/thresholds/evictionDefaults.ts';
import {
	type EvictionSettings,
	evictionSettings,
} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {observeSignals} from '../../core/nodepressure/thresholds/observations.ts';
import {
	conditionOf,
	type PressureCondition,
	type Signal,
	signals,
} from '../../core/nodepressure/thresholds/signal.ts';
import {isHard, type Threshold} from '../../core/nodepressure/thresholds/threshold.ts';
import {isMet} from '../../core/nodepressure/thresholds/thresholdsMet.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import {messageOf} from '../../text/userError.ts';
import type {Interval} from '../observe/interval.ts';
import {cleanup, nextPass} from './nextPass.ts';
import {freedUntil} from './observe/freedUntil.ts';
import {lastEvictionAt} from './observe/happenings.ts';
import {latenessOf} from './observe/lateness.ts';
import {podHistories} from './observe/podAmounts.ts';
import type {PressureEvidence, PressureProblem, SummarySample} from './observe/pressureEvidence.ts';
import {pointsOf} from './observe/series.ts';
import {robustTrend, type Trend} from './observe/trend.ts';

/** A measured node, with everything that its pressure forecast is based on. */
export type PressureSituation = ReturnType<typeof pressureSituationOf>;

/** Derives everything that the pressure forecast of a measured node is based on. */
export function pressureSituationOf(evidence: PressureEvidence, newest: SummarySample, now: Instant) {
	const {settings, problems: ofSettings} = settingsInForce(evidence);
	const guessed = guessFileSystems(newest.summary);
	const fileSystems = guessed ?? {hasDedicatedImageFs: false, hasDedicatedContainerFs: false};
	const thresholds = withContainerFsThresholds(settings.thresholds, fileSystems).filter(
		({operator}) => operator === 'LessThan',
	);
	const observations = observeSignals(newest.summary);
	const pods = podHistories(evidence.samples);
	const freed = freedUntil(evidence, pods);
	const trends = {pods, signals: signalTrends(evidence.samples, freed)};
	const met = thresholds.flatMap((threshold): [Threshold, Interval][] => {
		const noise = trends.signals.get(threshold.signal)?.noise ?? 0;
		const since = metSince(threshold, evidence, settings.monitoringInterval, noise);
		return since ? [[threshold, since]] : [];
	});
	const killed = killedPods(evidence, now);
	const hasYoungPods = evidence.pods.some(({uid}) => pods.get(uid)?.isYoung);
	const lateness = new Map(
		[...observations.keys()].map((signal) => [
			signal,
			latenessOf(signal, evidence.samples, settings.monitoringInterval),
		]),
	);
	return {
		evidence,
		now,
		newest,
		observations,
		settings,
		fileSystems,
		/** Including those of containerfs, without those that are never met. */
		thresholds,
		/** When each threshold that is met was first found so. */
		metSince: new Map(met),
		trends,
		/** Whether a pod started so recently that it may take any amount from now on. */
		hasYoungPods,
		/** How much later a pass may see that each signal is below a threshold; infinite if measurements fail to come. */
		lateness,
		/** Until when measurements may include pods that are gone: what they free is unknown. */
		freedUntil: freed,
		/** Whether pods are ending, or ended so recently that their usage may still be freed. */
		isAfterEviction: killed.size > 0 || newest.seenAt <= freed + cleanup,
		pods: evidence.pods,
		/** The latest end of pods that are being killed, by UID: they are not evicted again. */
		killed,
		nextPass: nextPass(lastEvictionAt(evidence), settings, now),
		problems: guessed ? ofSettings : [...ofSettings, fileSystemsGuessed],
	};
}

/** The pods that a kubelet is killing already: their eviction was reported, or their deletion requested. */
function killedPods({pods, reports}: PressureEvidence, now: Instant): ReadonlyMap<string, Instant> {
	return new Map(
		pods.flatMap((pod): [string, Instant][] => {
			const {uid, deletionTimestamp} = pod;
			const evicted = reports.find(
				(one) => one.reason === 'Evicted' && one.pod === podKey(pod) && (one.uid ?? uid) === uid,
			);
			if (deletionTimestamp !== undefined) return [[uid, Math.max(now, deletionTimestamp)]];
			const endsAt = (evicted?.at ?? 0) + killTimeout(pod.terminationGracePeriodSeconds ?? 30);
			// A pod that still exists long after that only has the name of the evicted one.
			return evicted && now <= endsAt + cleanup ? [[uid, Math.max(now, endsAt)]] : [];
		}),
	);
}

/** Whether its kubelet may be killing a pod for a soft threshold, and waits for its end: no other is evicted until then. */
export const mayKillUnseen = ({metSince, killed, settings, now}: PressureSituation) =>
	killed.size === 0 &&
	settings.maxPodGracePeriodSeconds > 1 &&
	[...metSince].some(([threshold, {lo}]) => !isHard(threshold) && lo + threshold.gracePeriod <= now);

/** Since when a condition is True; undefined if it is not. */
export function conditionSince(
	evidence: PressureEvidence,
	condition: PressureCondition,
): Instant | undefined {
	const found = evidence.conditions.find(({type}) => type === condition);
	return found?.status === 'True' ? found.lastTransitionTime : undefined;
}

/** From a pass to the API server: the kubelet posts conditions with its status, each time a little late. */
export const statusSync = ({nodeStatusUpdateFrequency}: EvictionSettings): Duration =>
	nodeStatusUpdateFrequency * 1.04;

/** By when a condition turns True for which the kubelet evicted a pod; undefined if there was none so recently. */
export function turnsTrueBy(
	{evidence, settings, now}: PressureSituation,
	condition: PressureCondition,
): Instant | undefined {
	// The pod dates it in whole seconds.
	const by = lastEvictionAt(evidence, condition) + second + statusSync(settings);
	return by >= now ? by : undefined;
}

const fileSystemsGuessed: PressureProblem = {
	reason: 'FileSystemsGuessed',
	message:
		'the kubelet does not tell about its file systems; images are taken to be on the same one as all else',
};

/** A kubelet's own settings, or the defaults. */
export function settingsInForce({config}: PressureEvidence): {
	readonly settings: EvictionSettings;
	readonly problems: readonly PressureProblem[];
} {
	const assumed = evictionSettings({evictionHard: defaultEvictionHard});
	if (!config) {
		const message = "the kubelet's configuration cannot be read; its defaults are assumed";
		return {settings: assumed, problems: [{reason: 'NoConfiguration', message}]};
	}
	try {
		return {settings: evictionSettings(config), problems: []};
	} catch (error) {
		const words = messageOf(error);
		const message = `the kubelet's configuration makes no sense (${words}); its defaults are assumed`;
		return {settings: assumed, problems: [{reason: 'BadConfiguration', message}]};
	}
}

/**
 * The devices on which a node keeps its images and containers, as far as a summary shows: file systems of the same size with
 * as many inodes count as one. Undefined if it does not show that.
 */
export function guessFileSystems({node}: Summary): FileSystems | undefined {
	const {fs, imageFs, containerFs} = node;
	if (!fs || !imageFs) return undefined;
	const hasDedicatedImageFs = !isSame(fs, imageFs);
	// A container runtime that cannot distinguish them reports the image file system twice.
	const isSplit = hasDedicatedImageFs && containerFs !== undefined && !isSame(containerFs, imageFs);
	return {hasDedicatedImageFs, hasDedicatedContainerFs: isSplit};
}

const isSame = (a: FsStats, b: FsStats) => a.capacityBytes === b.capacityBytes && a.inodes === b.inodes;

/**
 * When the pass came that first found a threshold met; undefined if the newest sample does not meet it. Changes between two
 * samples are not seen: it is assumed that the amount did not rise meanwhile, except for noise.
 *
 * @param interval between two passes
 * @param noise how far off a pass may measure
 */
function metSince(
	threshold: Threshold,
	evidence: PressureEvidence,
	interval: Duration,
	noise: number,
): Interval | undefined {
	const judged = evidence.samples.map(({seenAt, summary}) => {
		const observed = observeSignals(summary).get(threshold.signal);
		const most = observed && {...observed, available: observed.available + BigInt(Math.ceil(noise))};
		return {
			at: seenAt,
			isMet: observed !== undefined && isMet(threshold, observed, false),
			isSure: most !== undefined && isMet(threshold, most, false),
		};
	});
	const clear = judged.findLastIndex((one) => !one.isMet);
	const first = judged[clear + 1];
	if (!first) return undefined;
	// Never before its condition turned True: the first pass that finds a threshold met causes that.
	const raisedAt = conditionSince(evidence, conditionOf(threshold.signal)) ?? beginningOfTime;
	const lo = judged[clear]?.at ?? raisedAt - interval;
	const sure = judged[judged.findLastIndex((one) => !one.isSure) + 1] ?? judged.at(-1) ?? first;
	return {lo, hi: Math.max(lo, sure.at + interval)};
}

/** The trends since a pod was last gone: what it freed belongs to none. */
const signalTrends = (samples: readonly SummarySample[], freed: Instant): ReadonlyMap<Signal, Trend> =>
	new Map(
		signals.flatMap((signal) => {
			const trend = robustTrend(
				pointsOf(
					samples.flatMap(({seenAt, summary}) => {
						const observed = seenAt > freed && observeSignals(summary).get(signal);
						return observed ? [{value: observed.available, time: observed.time, seenAt}] : [];
					}),
				),
			);
			return trend ? [[signal, trend] as const] : [];
		}),
	);
