import {protectionOf} from '../../core/nodepressure/criticalPod.ts';
import {exceededLimits} from '../../core/nodepressure/localStorageLimits.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {statsByUid} from '../../core/nodepressure/summary.ts';
import {pressureConditions} from '../../core/nodepressure/thresholds/signal.ts';
import {shutdownGroups} from '../../core/nodeshutdown/nodeShutdown.ts';
import type {Instant} from '../../core/time/instant.ts';
import {conditionForecasts, unmeasuredCondition} from './conditionForecast.ts';
import {pressureEvictions} from './evictions.ts';
import {nextPass} from './nextPass.ts';
import {happeningsOf, lastEvictionAt} from './observe/happenings.ts';
import {asOfMetrics, repeatsMetricsLimit, widened} from './observe/metricsOnly.ts';
import type {PressureEvidence, SummarySample} from './observe/pressureEvidence.ts';
import {assumptionsOf, problemsOf} from './observe/pressureProblems.ts';
import {oomKills} from './oomKills.ts';
import type {OverLimit, PressureForecast} from './pressureForecast.ts';
import {signalForecasts} from './signalForecast.ts';
import {type PressureSituation, pressureSituationOf, settingsInForce} from './situation.ts';

/**
 * Forecasts node-pressure evictions: each signal's distance from its thresholds and its trend, which pods are evicted next,
 * when and why. It never throws, whatever a kubelet sends: missing data is reported as a problem.
 */
export function forecastPressure(seen: PressureEvidence, now: Instant): PressureForecast {
	const {node, pods} = seen;
	const newest = seen.samples.at(-1);
	return {
		node,
		pods,
		...(newest ? measured(seen, newest, now) : unmeasured(seen, now)),
		protectedPods: protectedPods(pods),
		happenings: happeningsOf(seen, now),
		...shutdownOf(seen),
	};
}

/** The part of a forecast that follows from statistics. */
type Measured = Omit<PressureForecast, 'node' | 'pods' | 'protectedPods' | 'happenings' | 'shutdown'>;

/** How the kubelet shuts down its node. An invalid configuration is ignored: no kubelet starts with it. */
function shutdownOf({config}: PressureEvidence): Pick<PressureForecast, 'shutdown'> {
	if (!config) return {};
	try {
		return {shutdown: shutdownGroups(config)};
	} catch {
		return {};
	}
}

function measured(seen: PressureEvidence, newest: SummarySample, now: Instant): Measured {
	const {evidence, problems: ofSource} = asOfMetrics(seen, newest);
	const situation = pressureSituationOf(evidence, newest, now);
	const signals = signalForecasts(situation);
	const evictions = pressureEvictions(situation, signals);
	return {
		observedAt: newest.seenAt,
		source: evidence.source ?? 'kubelet',
		nextPass: situation.nextPass,
		fileSystems: situation.fileSystems,
		conditions: conditionForecasts(situation, signals, evictions),
		signals,
		evictions: evidence.source === 'metrics' ? evictions.map((one) => widened(one, now)) : evictions,
		overLimits: overLimits(situation),
		oomKills: oomKills(situation),
		problems: [
			...ofSource,
			...problemsOf(situation).filter((problem) => !repeatsMetricsLimit(problem, evidence)),
		],
		assumptions: assumptionsOf(situation),
	};
}

/** The forecast of a node whose kubelet could not be queried: only the node's conditions are known. */
function unmeasured(evidence: PressureEvidence, now: Instant): Measured {
	const {settings, problems} = settingsInForce(evidence);
	const message = 'the kubelet’s statistics cannot be read; only the node’s conditions are known';
	return {
		observedAt: null,
		source: null,
		nextPass: nextPass(lastEvictionAt(evidence), settings, now),
		fileSystems: null,
		conditions: pressureConditions.map((condition) => unmeasuredCondition(evidence, settings, condition)),
		signals: [],
		evictions: [],
		overLimits: [],
		oomKills: [],
		problems: [{reason: 'NoStatistics', message}, ...problems],
		assumptions: [],
	};
}

function protectedPods(pods: readonly NodePod[]): PressureForecast['protectedPods'] {
	return pods.flatMap((pod) => {
		const why = protectionOf(pod);
		return why ? [{pod, why}] : [];
	});
}

function overLimits({
	pods,
	killed,
	newest,
	fileSystems,
	settings,
	nextPass: pass,
}: PressureSituation): readonly OverLimit[] {
	if (!settings.localStorageCapacityIsolation) return [];
	const stats = statsByUid(newest.summary);
	return pods.flatMap((pod) => {
		const ofPod = stats.get(pod.uid);
		const exceeded = ofPod && !killed.has(pod.uid) ? exceededLimits(pod, ofPod, fileSystems) : [];
		const protection = protectionOf(pod) ?? null;
		return exceeded.length > 0 ? [{pod, exceeded, protection, when: protection ? null : pass}] : [];
	});
}
