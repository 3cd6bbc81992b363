import type {Problem} from '../../core/model/problem.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {formatQuantity} from '../../core/nodepressure/quantities/formatQuantity.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {formatTimestamp} from '../../dates/utc.ts';
import type {
	PressureForecast,
	SignalForecast,
	ThresholdForecast,
} from '../../forecast/pressure/pressureForecast.ts';
import type {Crossing} from '../../forecast/pressure/simulate/crossing.ts';
import type {Victim} from '../../forecast/pressure/victims.ts';
import type {
	CrossingJson,
	PressureForecastJson,
	PressureForecastListJson,
	PressureSignalJson,
	PressureThresholdJson,
	VictimJson,
} from '../contract/pressureForecast.ts';
import {apiVersion} from '../json/json.ts';
import {optionalRangeJson, rangeJson} from '../json/rangeJson.ts';

/** The list of the JSON contract. */
export const pressureListJson = (
	forecasts: readonly PressureForecast[],
	problems: readonly Problem[],
	now: Instant,
): PressureForecastListJson => ({
	apiVersion,
	kind: 'PressureForecastList',
	metadata: {
		observedAt: formatTimestamp(now),
		source: 'cluster',
		problems: problems.map(({reason, message}) => ({reason, message})),
	},
	items: forecasts.map(pressureJson),
});

/** One node's pressure: amounts as numbers of bytes, inodes or processes, times as RFC 3339. */
export const pressureJson = (forecast: PressureForecast): PressureForecastJson => ({
	kind: 'PressureForecast',
	metadata: {name: forecast.node},
	observedAt: forecast.observedAt === null ? null : formatTimestamp(forecast.observedAt),
	source: forecast.source,
	nextPass: rangeJson(forecast.nextPass),
	fileSystems: forecast.fileSystems,
	conditions: forecast.conditions.map(({condition, isTrue, isMet, since, raised, held}) => ({
		type: condition,
		status: isTrue,
		thresholdMet: isMet,
		since: since === null ? null : formatTimestamp(since),
		raised: optionalRangeJson(raised),
		held: optionalRangeJson(held),
	})),
	signals: forecast.signals.map(signalJson),
	evictions: forecast.evictions.map(
		({pod, when, signals, graceSeconds, isCertain, place, firstProbability, message}) => ({
			...podJson(pod),
			eviction: rangeJson(when),
			cause: {kind: 'NodePressure', signals},
			graceSeconds,
			certain: isCertain,
			place,
			firstProbability,
			message,
		}),
	),
	overLimits: forecast.overLimits.map(({pod, exceeded, protection, when}) => ({
		...podJson(pod),
		limits: exceeded.map(({signal, of, usage, limit, message}) => ({
			signal,
			of,
			usage: Number(usage),
			limit: formatQuantity(limit),
			message,
		})),
		protection,
		eviction: optionalRangeJson(when),
	})),
	protected: forecast.protectedPods.map(({pod, why}) => ({...podJson(pod), why})),
	oomKills: forecast.oomKills.map(({pod, container, usage, limit, crossing}) => ({
		...podJson(pod),
		container,
		usage: Number(usage),
		limit: formatQuantity(limit),
		crossing: crossingJson(crossing),
	})),
	happenings: forecast.happenings.map(({at, reason, pod, message}) => ({
		at: at === null ? null : formatTimestamp(at),
		reason,
		pod,
		message,
	})),
	gaps: forecast.problems,
	assumptions: forecast.assumptions,
});

const podJson = ({namespace, name, uid}: NodePod) => ({namespace, name, uid});

const signalJson = ({
	signal,
	available,
	capacity,
	measuredAt,
	trend,
	thresholds,
	victims,
	kernelNotification,
}: SignalForecast): PressureSignalJson => ({
	signal,
	available: available === null ? null : Number(available),
	capacity: capacity === null ? null : Number(capacity),
	measuredAt: measuredAt === null ? null : formatTimestamp(measuredAt),
	trend: trend && {...trend, span: seconds(trend.span)},
	kernelNotification,
	thresholds: thresholds.map(thresholdJson),
	victims: victims.map(victimJson),
});

const thresholdJson = (one: ThresholdForecast): PressureThresholdJson => ({
	hard: one.isHard,
	quantity: formatQuantity(one.quantity),
	resolvedAt: one.resolvedAt ? formatQuantity(one.resolvedAt) : null,
	gracePeriod: seconds(one.threshold.gracePeriod),
	distance: one.distance,
	crossing: crossingJson(one.crossing),
	graceLeft: one.graceLeft && {least: seconds(one.graceLeft.least), most: seconds(one.graceLeft.most)},
	evictsAbout: one.evictsAbout === null ? null : formatTimestamp(one.evictsAbout),
	evictsBy: one.evictsBy === null ? null : formatTimestamp(one.evictsBy),
	toResolve: one.toResolve.map(podJson),
	beyondPods: one.isBeyondPods,
});

const victimJson = ({
	pod,
	place,
	tied,
	protection,
	stage,
	priority,
	usage,
	request,
	overuse,
	because,
}: Victim): VictimJson => ({
	...podJson(pod),
	place,
	tied,
	protection,
	stage,
	priority,
	usage: usage === null ? null : Number(usage),
	request: request && formatQuantity(request),
	overuse: overuse && formatQuantity(overuse),
	because,
});

const crossingJson = (crossing: Crossing): CrossingJson => ({
	type: crossing.type,
	at: 'at' in crossing ? rangeJson(crossing.at) : null,
	about: crossing.type === 'unknown' && crossing.about !== undefined ? formatTimestamp(crossing.about) : null,
});

const seconds = (duration: Duration): number => duration / second;
