import {resourceOf} from '../../core/nodepressure/thresholds/signal.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {ago, goDuration, whenWords} from '../words.ts';
import {formatAmount, formatThresholdAmount} from './amount.ts';
import type {
	PressureEviction,
	PressureForecast,
	SignalForecast,
	ThresholdForecast,
} from './pressureForecast.ts';
import type {Victim} from './victims.ts';

/** A signal and one of its thresholds in words: `memory.available is 300Mi, below 500Mi`. */
export function signalWords(
	{signal, available}: Pick<SignalForecast, 'signal' | 'available'>,
	{quantity, crossing, isHard, threshold, graceLeft}: ThresholdForecast,
	now: Instant,
): string {
	const left = available === null ? 'unknown' : formatAmount(available, signal);
	const limit = formatThresholdAmount(quantity, signal);
	const soft = isHard ? '' : `, which has a grace period of ${goDuration(threshold.gracePeriod)}`;
	switch (crossing.type) {
		case 'met': {
			const rest = graceLeft
				? ` (${goDuration(Math.ceil(graceLeft.most / second) * second)} of it left at the most)`
				: '';
			return `${signal} is ${left}, below the threshold of ${limit}${soft}${rest}`;
		}
		case 'expected':
		case 'possible': {
			const word = crossing.type === 'possible' ? 'may fall' : 'falls';
			return `${signal} is ${left}, and ${word} below the threshold of ${limit} ${whenWords(crossing.at, now)}${soft}`;
		}
		case 'notOnThisTrend':
			return `${signal} is ${left}, and does not fall below the threshold of ${limit} on this trend`;
		case 'unknown':
			return `${signal} is ${left}, above the threshold of ${limit}; too little was seen for a trend`;
	}
}

/** Thresholds that are met, or come on this trend: those that decide who goes. */
export const isPressing = ({crossing}: ThresholdForecast): boolean =>
	crossing.type === 'met' || crossing.type === 'expected' || crossing.type === 'possible';

/** Where a pod stands in the order: `place 2 of 14, tied with 1 other`. */
export function placeWords({place, tied}: Victim, count: number): string {
	const others = tied > 1 ? `, tied with ${tied - 1} other${tied === 2 ? '' : 's'}, in random order` : '';
	return `place ${place} of ${count}${others}`;
}

/** That a kubelet evicts a pod, and for what, in one sentence. */
export function evictionWords({signals, isCertain, graceSeconds}: PressureEviction): string {
	const what = signals.map((signal) => signalName(signal)).join(' or ');
	const grace = graceSeconds.map((seconds) => `${seconds}s`).join(' or ');
	return `its kubelet ${isCertain ? 'evicts' : 'may evict'} it, short of ${what}, with a grace period of ${grace}`;
}

/** How likely a pod is the first that goes; empty where that is sure either way. */
export const firstWords = ({place, firstProbability: share}: PressureEviction): string =>
	place.first === 1 && share > 0 && share < 1 ? `first with ${Math.round(share * 100)}%` : '';

const limitWords: Readonly<Record<string, string>> = {
	'emptydirfs.limit': 'room in an emptyDir of its own',
	'ephemeralpodfs.limit': 'ephemeral storage of its own',
	'ephemeralcontainerfs.limit': 'ephemeral storage of a container',
};

function signalName(signal: PressureEviction['signals'][number]): string {
	return limitWords[signal] ?? `${resourceOf(signal as SignalForecast['signal'])} (${signal})`;
}

/** A node's pressure in words: its conditions, and the pod that its kubelet evicts next. */
export function nodeWords(
	{conditions, evictions, observedAt}: Pick<PressureForecast, 'conditions' | 'evictions' | 'observedAt'>,
	now: Instant,
): readonly string[] {
	const held = conditions
		.filter(({isTrue}) => isTrue)
		.map(
			({condition, since}) =>
				`${condition} ${since === null ? 'is True' : `has been True for ${ago(since, now)}`}: its kubelet evicts pods by its own rules`,
		);
	const [next] = evictions;
	if (!next) return observedAt === null ? [...held, 'its kubelet’s statistics are not seen'] : held;
	const {pod, when, isCertain} = next;
	const word = isCertain ? 'is evicted' : 'may be evicted';
	return [...held, `pod ${pod.namespace}/${pod.name} ${word} first, ${whenWords(when, now)}`];
}
