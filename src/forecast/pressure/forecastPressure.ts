import {protectionOf} from '../../core/nodepressure/criticalPod.ts';
import {exceededLimits} from '../../core/nodepressure/localStorageLimits.ts';
import {conditionOf, type PressureCondition} from '../../core/nodepressure/signal.ts';
import {statsByUid} from '../../core/nodepressure/summary.ts';
import type {Instant} from '../../core/time/instant.ts';
import {conditionForecasts} from './conditionForecast.ts';
import {pressureEvictions} from './evictions.ts';
import {nextPass} from './nextPass.ts';
import {assumptionsOf, gapsOf} from './observe/gaps.ts';
import {happeningsOf} from './observe/happenings.ts';
import {asOfMetrics, isToldBySource, widened} from './observe/metricsOnly.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';
import {oomKills} from './oomKills.ts';
import type {OverLimit, PressureConditionForecast, PressureForecast} from './pressureForecast.ts';
import {signalForecasts} from './signalForecast.ts';
import {conditionSince, type PressureSituation, settingsInForce, situationOf} from './situation.ts';

/**
 * What pressure does to a node's pods: how far each signal is from its thresholds and where it tends, who goes next and
 * when, and why. Never throws for what a kubelet may send: what is missing is told as a gap.
 */
export function forecastPressure(seen: PressureEvidence, now: Instant): PressureForecast {
	const newest = seen.samples.at(-1);
	if (!newest) return unmeasured(seen, now);
	const {evidence, gaps: ofSource} = asOfMetrics(seen, newest);
	const situation = situationOf(evidence, newest, now);
	const signals = signalForecasts(situation);
	const evictions = pressureEvictions(situation, signals);
	return {
		node: evidence.node,
		pods: evidence.pods,
		observedAt: newest.seenAt,
		source: evidence.source ?? 'kubelet',
		nextPass: situation.nextPass,
		fileSystems: situation.fileSystems,
		conditions: conditionForecasts(situation),
		signals,
		evictions: evidence.source === 'metrics' ? evictions.map((one) => widened(one, now)) : evictions,
		overLimits: overLimits(situation),
		protectedPods: protectedPods(evidence),
		oomKills: oomKills(situation),
		happenings: happeningsOf(evidence, now),
		gaps: [...ofSource, ...gapsOf(situation).filter((gap) => !isToldBySource(gap, evidence))],
		assumptions: assumptionsOf(situation),
	};
}

/** Where the kubelet could not be asked, the node's own conditions are all there is. */
function unmeasured(evidence: PressureEvidence, now: Instant): PressureForecast {
	const {settings, gaps} = settingsInForce(evidence);
	const message = 'the kubelet’s statistics cannot be read; only the node’s conditions are known';
	return {
		node: evidence.node,
		pods: evidence.pods,
		observedAt: null,
		source: null,
		nextPass: nextPass(evidence, settings, now),
		fileSystems: null,
		conditions: [...new Set(settings.thresholds.map(({signal}) => conditionOf(signal)))].map((condition) =>
			bareCondition(evidence, condition),
		),
		signals: [],
		evictions: [],
		overLimits: [],
		protectedPods: protectedPods(evidence),
		oomKills: [],
		happenings: happeningsOf(evidence, now),
		gaps: [{reason: 'NoStatistics', message}, ...gaps],
		assumptions: [],
	};
}

function bareCondition(evidence: PressureEvidence, condition: PressureCondition): PressureConditionForecast {
	const since = conditionSince(evidence, condition);
	return {
		condition,
		isTrue: since !== undefined,
		since: since ?? null,
		isMet: false,
		raised: null,
		held: null,
	};
}

function protectedPods({pods}: PressureEvidence): PressureForecast['protectedPods'] {
	return pods.flatMap((pod) => {
		const why = protectionOf(pod);
		return why ? [{pod, why}] : [];
	});
}

function overLimits({
	pods,
	newest,
	fileSystems,
	settings,
	nextPass: pass,
}: PressureSituation): readonly OverLimit[] {
	if (!settings.localStorageCapacityIsolation) return [];
	const stats = statsByUid(newest.summary);
	return pods.flatMap((pod) => {
		const ofPod = stats.get(pod.uid);
		const exceeded = ofPod ? exceededLimits(pod, ofPod, fileSystems) : [];
		const protection = protectionOf(pod) ?? null;
		return exceeded.length > 0 ? [{pod, exceeded, protection, when: protection ? null : pass}] : [];
	});
}
