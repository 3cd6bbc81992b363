import {type Instant, second} from '../../core/time/instant.ts';
import {formatAmount} from '../pressure/amount.ts';
import type {PressureForecast, SignalForecast} from '../pressure/pressureForecast.ts';
import {isPressing, signalWords} from '../pressure/pressureWords.ts';
import type {Fact, Step} from './explanation.ts';
import {goDuration} from './words.ts';

/** What kubelets and pods tell of the last hour; older news say little. */
const mostNews = 3;

/** What a node itself says of its pressure: conditions, and what was seen to happen. */
export function nodePressureSteps({node, conditions, happenings}: PressureForecast): readonly Step[] {
	const held = conditions
		.filter(({isTrue}) => isTrue)
		.map(
			({condition, since, held: until}): Step => ({
				at: until ?? since,
				what: until
					? `condition ${condition} of node ${node} goes, if nothing falls below a threshold again`
					: `condition ${condition} of node ${node} turned True`,
				rule: 'evictionPressureTransitionPeriod: a condition outlives what raised it by that',
				evidence: [],
			}),
		);
	const news = happenings.slice(0, mostNews).map(
		({at, reason, pod, message}): Step => ({
			at,
			what: `its kubelet reported ${reason}${pod === null ? '' : ` of pod ${pod}`}: ${message.trim()}`,
			rule: null,
			evidence: [],
		}),
	);
	return [...news.toReversed(), ...held];
}

/** What the node has left of each signal that counts: where a threshold is met, or comes. */
export function signalSteps(pressure: PressureForecast, now: Instant): readonly Step[] {
	return pressure.signals.flatMap((one) =>
		one.thresholds.filter(isPressing).map((threshold): Step => {
			const {
				crossing,
				isHard,
				threshold: {gracePeriod},
			} = threshold;
			return {
				at: 'at' in crossing ? crossing.at : null,
				what: signalWords(one, threshold, now),
				rule: isHard
					? 'evictionHard: the first pass below it evicts, one pod a pass; a pass comes every 10s'
					: `evictionSoft: evicts once it was below for ${goDuration(gracePeriod)}`,
				evidence: [factOf(pressure, one)],
			};
		}),
	);
}

function factOf(
	{node, source}: PressureForecast,
	{signal, available, measuredAt, trend}: SignalForecast,
): Fact {
	const median = trend?.perSecond.median ?? 0;
	const perMinute = median * (60_000 / second);
	const moves = trend
		? `, ${perMinute > 0 ? '+' : ''}${formatAmount(perMinute, signal)}/min over ${goDuration(trend.span)}`
		: '';
	const when = measuredAt === null ? '' : `measured at ${new Date(measuredAt).toISOString()}`;
	return {
		object: `node/${node}`,
		field: source === 'metrics' ? 'metrics.k8s.io usage.memory' : `stats/summary ${signal}`,
		value: `${available === null ? 'unknown' : formatAmount(available, signal)}${moves}`,
		note: when,
	};
}
