import {type FileSystems, withContainerFsThresholds} from '../../core/nodepressure/containerFsThresholds.ts';
import {defaultEvictionHard} from '../../core/nodepressure/evictionDefaults.ts';
import {type EvictionSettings, evictionSettings} from '../../core/nodepressure/evictionSettings.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {type Observations, observeSignals} from '../../core/nodepressure/observations.ts';
import {conditionOf, type PressureCondition} from '../../core/nodepressure/signal.ts';
import type {Threshold} from '../../core/nodepressure/threshold.ts';
import {isMet} from '../../core/nodepressure/thresholdsMet.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import type {Range} from '../podForecast.ts';
import {nextPass} from './nextPass.ts';
import {guessFileSystems} from './observe/fileSystems.ts';
import {metSince} from './observe/metSince.ts';
import type {PressureEvidence, PressureGap, SummarySample} from './observe/pressureEvidence.ts';
import type {Trend} from './observe/trend.ts';
import {type NodeTrends, nodeTrends} from './simulate/projection.ts';

/** A node that was measured, with all that the parts of a forecast go by. */
export type PressureSituation = {
	readonly evidence: PressureEvidence;
	readonly now: Instant;
	readonly newest: SummarySample;
	readonly observations: Observations;
	readonly settings: EvictionSettings;
	readonly fileSystems: FileSystems;
	/** With those of containerfs, without those that are never met. */
	readonly thresholds: readonly Threshold[];
	/** When each threshold that is met was first found so. */
	readonly metSince: ReadonlyMap<Threshold, Interval>;
	readonly trends: NodeTrends;
	readonly pods: readonly NodePod[];
	readonly nextPass: Range;
	readonly gaps: readonly PressureGap[];
};

/** Puts together what a forecast of a node that was measured goes by. */
export function situationOf(
	evidence: PressureEvidence,
	newest: SummarySample,
	now: Instant,
): PressureSituation {
	const {settings, gaps: ofSettings} = settingsInForce(evidence);
	const guessed = guessFileSystems(newest.summary);
	const fileSystems = guessed ?? {hasDedicatedImageFs: false, hasDedicatedContainerFs: false};
	const thresholds = withContainerFsThresholds(settings.thresholds, fileSystems).filter(
		({operator}) => operator === 'LessThan',
	);
	const observations = observeSignals(newest.summary);
	const met = thresholds.flatMap((threshold): [Threshold, Interval][] => {
		const observed = observations.get(threshold.signal);
		if (!observed || !isMet(threshold, observed, false)) return [];
		const since = conditionSince(evidence, conditionOf(threshold.signal));
		const interval = evidence.isSupposed
			? {lo: now, hi: now + settings.monitoringInterval}
			: metSince(threshold, evidence.samples, settings.monitoringInterval, since);
		return interval ? [[threshold, interval]] : [];
	});
	return {
		evidence,
		now,
		newest,
		observations,
		settings,
		fileSystems,
		thresholds,
		metSince: new Map(met),
		trends: evidence.isSupposed
			? {signals: new Map([...observations.keys()].map((signal) => [signal, still])), podMemory: new Map()}
			: nodeTrends(evidence.samples, evidence.lastEvictionAt),
		pods: evidence.pods,
		nextPass: nextPass(evidence, settings, now),
		gaps: guessed ? ofSettings : [...ofSettings, fileSystemsGuessed],
	};
}

/** Nothing moves. */
const still: Trend = {perSecond: {low: 0, median: 0, high: 0}, noise: 0, points: 1, span: 0};

/** Since when a condition is True; undefined where it is not. */
export function conditionSince(
	evidence: PressureEvidence,
	condition: PressureCondition,
): Instant | undefined {
	const found = evidence.conditions.find(({type}) => type === condition);
	return found?.status === 'True' ? found.lastTransitionTime : undefined;
}

const fileSystemsGuessed: PressureGap = {
	reason: 'FileSystemsGuessed',
	message:
		'the kubelet does not tell about its file systems; images are taken to be on the same one as all else',
};

/** A kubelet's own settings, or those of one that was not configured. */
export function settingsInForce({config}: Pick<PressureEvidence, 'config'>): {
	readonly settings: EvictionSettings;
	readonly gaps: readonly PressureGap[];
} {
	const assumed = evictionSettings({evictionHard: defaultEvictionHard});
	if (!config) {
		const message = "the kubelet's configuration cannot be read; its defaults are assumed";
		return {settings: assumed, gaps: [{reason: 'NoConfiguration', message}]};
	}
	try {
		return {settings: evictionSettings(config), gaps: []};
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		const message = `the kubelet's configuration makes no sense (${words}); its defaults are assumed`;
		return {settings: assumed, gaps: [{reason: 'BadConfiguration', message}]};
	}
}
