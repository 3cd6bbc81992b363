import type {Problem} from '../../core/model/problem.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {formatQuantity} from '../../core/nodepressure/quantities/formatQuantity.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {
	PressureForecast,
	SignalForecast,
	ThresholdForecast,
} from '../../forecast/pressure/pressureForecast.ts';
import type {Victim} from '../../forecast/pressure/victims.ts';
import type {
	PressureForecastJson,
	PressureForecastListJson,
	PressureSignalJson,
	PressureThresholdJson,
	VictimJson,
} from '../contract/pressureForecast.ts';
import {apiVersion, problemsJson} from '../json/json.ts';
import {fieldsOf} from '../json/jsonOf.ts';

/** The list of the JSON contract. */
export const pressureListJson = (
	forecasts: readonly PressureForecast[],
	problems: readonly Problem[],
	now: Instant,
): PressureForecastListJson => ({
	apiVersion,
	kind: 'PressureForecastList',
	metadata: {
		observedAt: now,
		source: 'cluster',
		problems: problemsJson(problems),
	},
	items: forecasts.map(pressureJson),
});

/** One node's pressure: amounts as numbers of bytes, inodes or processes, times as RFC 3339. */
export const pressureJson = (forecast: PressureForecast): PressureForecastJson => ({
	kind: 'PressureForecast',
	metadata: {name: forecast.node},
	...fieldsOf(forecast, 'observedAt', 'source', 'nextPass', 'fileSystems'),
	conditions: forecast.conditions.map((one) => ({
		type: one.condition,
		status: one.isTrue,
		thresholdMet: one.isMet,
		...fieldsOf(one, 'since', 'raised', 'held'),
	})),
	signals: forecast.signals.map(signalJson),
	evictions: forecast.evictions.map((eviction) => ({
		...podJson(eviction.pod),
		eviction: eviction.when,
		cause: {kind: 'NodePressure', signals: eviction.signals},
		certain: eviction.isCertain,
		...fieldsOf(eviction, 'graceSeconds', 'place', 'message'),
	})),
	overLimits: forecast.overLimits.map(({pod, exceeded, protection, when}) => ({
		...podJson(pod),
		limits: exceeded.map((one) => ({
			...fieldsOf(one, 'signal', 'of', 'usage', 'message'),
			limit: formatQuantity(one.limit),
		})),
		protection,
		eviction: when,
	})),
	protected: forecast.protectedPods.map(({pod, why}) => ({...podJson(pod), why})),
	oomKills: forecast.oomKills.map((kill) => ({
		...podJson(kill.pod),
		...fieldsOf(kill, 'container', 'usage'),
		limit: formatQuantity(kill.limit),
		crossing: fieldsOf(kill.crossing, 'type', 'at'),
	})),
	happenings: forecast.happenings,
	gaps: forecast.problems,
	assumptions: forecast.assumptions,
});

const podJson = (pod: NodePod) => fieldsOf(pod, 'namespace', 'name', 'uid');

const signalJson = (signal: SignalForecast): PressureSignalJson => ({
	...fieldsOf(signal, 'signal', 'available', 'capacity', 'measuredAt', 'kernelNotification'),
	trend: signal.trend && {...signal.trend, span: seconds(signal.trend.span)},
	thresholds: signal.thresholds.map(thresholdJson),
	victims: signal.victims.map(victimJson),
});

const thresholdJson = (threshold: ThresholdForecast): PressureThresholdJson => ({
	hard: threshold.isHard,
	quantity: formatQuantity(threshold.quantity),
	resolvedAt: threshold.resolvedAt ? formatQuantity(threshold.resolvedAt) : null,
	gracePeriod: seconds(threshold.threshold.gracePeriod),
	crossing: fieldsOf(threshold.crossing, 'type', 'at'),
	graceLeft: threshold.graceLeft && {
		least: seconds(threshold.graceLeft.least),
		most: seconds(threshold.graceLeft.most),
	},
	...fieldsOf(threshold, 'distance', 'evictsBy'),
	toResolve: threshold.toResolve.map(podJson),
	beyondPods: threshold.isBeyondPods,
});

const victimJson = (victim: Victim): VictimJson => ({
	...podJson(victim.pod),
	...fieldsOf(victim, 'place', 'tied', 'protection', 'stage', 'priority', 'usage', 'because'),
	request: victim.request && formatQuantity(victim.request),
	overuse: victim.overuse && formatQuantity(victim.overuse),
});

const seconds = (duration: Duration) => duration / second;
