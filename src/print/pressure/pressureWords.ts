import type {Signal} from '../../core/nodepressure/thresholds/signal.ts';
import {type Instant, minute} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {formatAmount, formatThresholdAmount} from '../../forecast/pressure/amount.ts';
import type {
	PressureEviction,
	PressureForecast,
	ThresholdForecast,
} from '../../forecast/pressure/pressureForecast.ts';
import {untilWords} from '../../forecast/pressure/pressureWords.ts';
import type {Victim} from '../../forecast/pressure/victims.ts';
import type {Range} from '../../forecast/range.ts';
import {formatCountdown, formatWhenAt} from '../countdown.ts';

/** Formats a threshold for a table: `<500Mi`, `<10Gi for 1m30s, evicts until 11Gi are free`. */
export function thresholdWords(
	{threshold, quantity, resolvedAt, isHard}: ThresholdForecast,
	signal: Signal,
): string {
	const {gracePeriod} = threshold;
	const soft = isHard ? '' : ` for ${formatDuration(gracePeriod)}`;
	const until = resolvedAt ? `, evicts until ${formatThresholdAmount(resolvedAt, signal)} are free` : '';
	return `<${formatThresholdAmount(quantity, signal)}${soft}${until}`;
}

/** Formats a trend as the change per minute. */
export function trendWords(perSecond: number, signal: Signal): string {
	const perMinute = Math.round((perSecond * minute) / 1000);
	if (perMinute === 0) return 'steady';
	return `${perMinute > 0 ? '+' : ''}${formatAmount(perMinute, signal)}/min`;
}

/** When a kubelet evicts a pod, and what decides it if there is no upper bound. */
export function evictedWhenAt(eviction: PressureEviction, pressure: PressureForecast, now: Instant): string {
	const until = untilWords(eviction, pressure, now);
	return `${formatWhenAt(eviction.when, now)}${until === '' ? '' : `: ${until}`}`;
}

/** Formats when a threshold is crossed, or how much of a soft one's grace period is left. */
export function crossingWords(
	{crossing, graceLeft}: ThresholdForecast,
	now: Instant,
	countdown = (range: Range) => formatCountdown(range, now),
): string {
	switch (crossing.type) {
		case 'met': {
			if (!graceLeft) return 'now';
			const [least, most] = [graceLeft.least, graceLeft.most].map(formatDuration);
			return least === most ? `now, grace for ${least}` : `now, grace for ${least}-${most}`;
		}
		case 'expected':
			return countdown(crossing.at);
		case 'possible':
			return `perhaps ${countdown(crossing.at)}`;
		case 'notOnThisTrend':
			return 'not on this trend';
		case 'unknown':
			return '<unknown>';
	}
}

/** A place in the order of eviction: `2, tied with 1`. */
export const placeWords = ({place, tied}: Victim) =>
	tied > 1 ? `${place}, tied with ${tied - 1}` : String(place);

export const protectionWords = {
	static: 'a static pod',
	mirror: 'a static pod',
	priority: 'a critical priority',
};

/** How many pods are evicted until enough is free, for the threshold that needs most; empty if none is met. */
export function tollWords(thresholds: readonly ThresholdForecast[]): string {
	const [needs] = thresholds
		.filter(({toResolve}) => toResolve.length > 0)
		.toSorted(
			(a, b) => Number(b.isBeyondPods) - Number(a.isBeyondPods) || b.toResolve.length - a.toResolve.length,
		);
	if (!needs) return '';
	const {toResolve, isBeyondPods} = needs;
	const count = toResolve.length === 1 ? 'one pod' : `${toResolve.length} pods`;
	return isBeyondPods
		? `Even the eviction of ${count} does not free enough.\n`
		: `The eviction of ${count} frees enough, if each gives back what it uses.\n`;
}
