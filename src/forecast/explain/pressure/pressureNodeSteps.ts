import {type Instant, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import {formatTimestamp} from '../../../dates/utc.ts';
import {formatAmount} from '../../pressure/amount.ts';
import type {PressureForecast, SignalForecast} from '../../pressure/pressureForecast.ts';
import {conditionEnd, endReason, isPressing, signalWords} from '../../pressure/pressureWords.ts';
import {type Draft, type Fact, fact} from '../explanation.ts';

/** The most events of a kubelet that are shown. */
const mostNews = 3;

/** What happened on a node: the events of its kubelet, and evictions of its pods. */
export function newsSteps({happenings}: PressureForecast): readonly Draft[] {
	return happenings
		.slice(0, mostNews)
		.map(({at, reason, pod, message}) => ({
			at,
			what: `its kubelet reported ${reason}${pod === null ? '' : ` of pod ${pod}`}: ${message.trim()}`,
		}))
		.toReversed();
}

export const conditionSteps = ({node, conditions}: PressureForecast): readonly Draft[] =>
	conditions
		.filter(({isTrue}) => isTrue)
		.map(({condition, since}) => ({
			at: since,
			what: `condition ${condition} of node ${node} turned True`,
			rule: 'it adds a NoSchedule taint; under pressure the kubelet evicts by its own rules',
		}));

export const releaseSteps = ({node, conditions}: PressureForecast, now: Instant): readonly Draft[] =>
	conditions
		.filter(({held}) => held !== null)
		.map((one) => ({
			at: conditionEnd(one),
			what: `condition ${one.condition} of node ${node} ends${one.isMet ? '' : ','} ${endReason(one, now)}`,
			rule: 'evictionPressureTransitionPeriod: a condition stays True this long after its cause is over',
		}));

/** The available amount of each signal whose threshold is met, or will be. */
export function signalSteps(pressure: PressureForecast, now: Instant): readonly Draft[] {
	return pressure.signals.flatMap((one) =>
		one.thresholds.filter(isPressing).map((threshold): Draft => {
			const {
				crossing,
				isHard,
				threshold: {gracePeriod},
			} = threshold;
			return {
				at: crossing.at ?? null,
				what: signalWords(one, threshold, now),
				rule: isHard
					? 'evictionHard: the first pass below it evicts, one pod per pass; there is a pass every 10s'
					: `evictionSoft: evicts once it was below for ${formatDuration(gracePeriod)}`,
				evidence: () => [factOf(pressure, one)],
			};
		}),
	);
}

function factOf(
	{node, source}: PressureForecast,
	{signal, available, measuredAt, trend}: SignalForecast,
): Fact {
	const perMinute = (trend?.perSecond.median ?? 0) * (60_000 / second);
	const moves = trend
		? `, ${perMinute > 0 ? '+' : ''}${formatAmount(perMinute, signal)}/min over ${formatDuration(trend.span)}`
		: '';
	return fact(
		`node/${node}`,
		source === 'metrics' ? 'metrics.k8s.io usage.memory' : `stats/summary ${signal}`,
		`${available === null ? 'unknown' : formatAmount(available, signal)}${moves}`,
		measuredAt === null ? '' : `measured at ${formatTimestamp(measuredAt)}`,
	);
}
