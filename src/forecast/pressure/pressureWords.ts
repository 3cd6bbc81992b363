import {ascending} from '../../core/collections/ascending.ts';
import {minOf} from '../../core/collections/extremes.ts';
import {podKey} from '../../core/model/pod.ts';
import {int64Of} from '../../core/nodepressure/quantities/quantity.ts';
import {conditionOf, type PressureCondition, resourceOf} from '../../core/nodepressure/thresholds/signal.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import type {TextMap} from '../../text/textMap.ts';
import {type PodForecast, shownVerdict} from '../podForecast.ts';
import type {Range} from '../range.ts';
import {ago, clockTime, count, linked, whenWords} from '../words.ts';
import {formatAmount, formatThresholdAmount} from './amount.ts';
import type {
	PressureConditionForecast,
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
	const soft = isHard ? '' : `, which has a grace period of ${formatDuration(threshold.gracePeriod)}`;
	switch (crossing.type) {
		case 'met': {
			const most = graceLeft && formatDuration(Math.ceil(graceLeft.most / second) * second);
			const rest = most ? ` (${most} of it left at the most)` : '';
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

/** Whether a threshold is met, or will be on this trend: such thresholds decide which pods are evicted. */
export const isPressing = ({crossing}: ThresholdForecast) =>
	crossing.type === 'met' || crossing.type === 'expected' || crossing.type === 'possible';

/** A pod's place in the order: `place 2 of 14, tied with 1 other`. */
export function placeWords({place, tied}: Victim, count: number): string {
	const others = tied > 1 ? `, tied with ${tied - 1} other${tied === 2 ? '' : 's'}, in random order` : '';
	return `place ${place} of ${count}${others}`;
}

/** The pods that may be evicted for a signal, in order. */
const evictableFor = (of: SignalForecast | undefined): readonly Victim[] =>
	of?.victims.filter(({protection}) => protection === null) ?? [];

/** Why a pod is evicted first: `Node b2 is short of memory.available, and it is the first of 6 pods: it uses 6Gi, ...`. */
export function rankWords({pod, signals: own}: PressureEviction, {node, signals}: PressureForecast): string {
	const [of] = signals.filter(({signal}) => own.includes(signal));
	const isSeen = signals.some((one) => own.includes(one.signal) && one.thresholds.some(isPressing));
	const short = `Node ${node} ${isSeen || !of ? 'is' : 'may run'} short of ${own.join(' or ')}`;
	const others = evictableFor(of);
	const index = others.findIndex((one) => one.pod.uid === pod.uid);
	const victim = others[index];
	if (!of || !victim) return short;
	const place = `it is ${index === 0 ? 'the first' : `number ${index + 1}`} of ${count(others.length, 'pod')}`;
	return `${short}, and ${place}: it ${victim.because}`;
}

/** That a kubelet evicts a pod, and why, in one sentence. */
export function evictionWords({signals, isCertain, graceSeconds}: PressureEviction): string {
	const what = signals.map((signal) => signalName(signal)).join(' or ');
	const grace = graceSeconds.map((seconds) => `${seconds}s`).join(' or ');
	return `its kubelet ${isCertain ? 'evicts' : 'may evict'} it, short of ${what}, with a termination grace period of ${grace}`;
}

const limitWords: TextMap = {
	'emptydirfs.limit': 'room in an emptyDir of its own',
	'ephemeralpodfs.limit': 'ephemeral storage of its own',
	'ephemeralcontainerfs.limit': 'ephemeral storage of a container',
};

function signalName(signal: PressureEviction['signals'][number]): string {
	return limitWords[signal] ?? `${resourceOf(signal as SignalForecast['signal'])} (${signal})`;
}

/**
 * What decides when a kubelet evicts next, if no trend bounds it: `at once if memory.available (1.4Gi) falls below 1Gi; after
 * 3m below 4Gi by 14:02:25Z at the latest, unless it rises above 4Gi before`. Empty if no threshold is met, and for pods that
 * are not first.
 */
export function untilWords(
	{when, place, signals: own}: PressureEviction,
	{signals}: Pick<PressureForecast, 'signals'>,
	now: Instant,
): string {
	if (when.latest !== null || place.first > 1) return '';
	const short = signals.filter(({signal}) => own.includes(signal));
	return linked('; ', ...short.map((one) => signalUntil(one, now)));
}

function signalUntil({signal, available, thresholds}: SignalForecast, now: Instant): string {
	const met = thresholds.filter(({evictsBy}) => evictsBy !== null);
	const [first] = met.toSorted((a, b) => (a.evictsBy ?? 0) - (b.evictsBy ?? 0));
	if (!first || first.evictsBy === null || available === null) return '';
	const [hard] = thresholds
		.filter((one) => one.isHard && one.evictsBy === null)
		.toSorted(ascending(({distance}) => distance));
	const left = `${signal} (${formatAmount(available, signal)})`;
	const below = `below ${formatThresholdAmount(first.quantity, signal)}`;
	const falls = hard
		? `at once if ${left} falls below ${formatThresholdAmount(hard.quantity, signal)}; `
		: '';
	const is = hard ? '' : `${left} is ${below}; `;
	const grace = first.isHard
		? ''
		: `after ${formatDuration(first.threshold.gracePeriod)} ${hard ? below : ''}`.trim();
	// Another look would give a later time.
	const counted = first.isBoundByLook ? 'counted from this look, ' : '';
	const by = `by ${clockTime(first.evictsBy, now)} at the latest`;
	return `${falls}${is}${grace === '' ? '' : `${grace} `}${by}, ${counted}unless it rises above that before`;
}

/** What makes a kubelet evict for a signal: `memory.available (7Gi) falls below 1Gi or below 4Gi for 3m0s`. */
function fallWords({signal, available, thresholds}: SignalForecast): string {
	const limits = thresholds.map(({threshold: {gracePeriod}, isHard, quantity}) => {
		const soft = isHard ? '' : ` for ${formatDuration(gracePeriod)}`;
		return `below ${formatThresholdAmount(quantity, signal)}${soft}`;
	});
	const left = available === null ? '' : ` (${formatAmount(available, signal)})`;
	return `${signal}${left} falls ${limits.join(' or ')}`;
}

/** Which pod is evicted first if the signal nearest to a threshold falls; empty if there is none, or nothing is measured. */
export function ifFallsWords({signals}: Pick<PressureForecast, 'signals'>): string {
	const nearest = nearestOf(signals);
	const [victim] = evictableFor(nearest);
	if (!nearest || !victim) return '';
	const {pod, tied} = victim;
	const who = tied > 1 ? `one of ${tied} pods, in random order,` : podKey(pod);
	return `if ${fallWords(nearest)}, ${who} is evicted first, by what pods use now`;
}

/** That a kubelet may evict a pod, and when; empty if its node has no pressure condition, or the pod is never evicted. */
export function mayEvictWords(key: string, pressure: PressureForecast): string {
	const pressedBy = pressedOf(pressure);
	const isProtected = pressure.protectedPods.some(({pod}) => podKey(pod) === key);
	if (pressedBy.length === 0 || isProtected) return '';
	const nearest = nearestOf(pressure.signals.filter(({signal}) => pressedBy.includes(conditionOf(signal))));
	const order = evictableFor(nearest);
	const place = order.findIndex(({pod}) => podKey(pod) === key) + 1;
	const falls =
		nearest && place > 0
			? `, if ${fallWords(nearest)}; by what pods use now, ${place === 1 ? 'it is the first then' : `${place - 1} of ${order.length} pods ${place === 2 ? 'is' : 'are'} evicted before it`}`
			: '';
	return `node ${pressure.node} has ${pressedBy.join(' and ')}: its kubelet may evict the pod${falls}`;
}

/** Whether its kubelet may evict a pod that is safe for now. */
export const mayFollow = (pod: PodForecast, pressure: PressureForecast | undefined) =>
	pressure !== undefined && shownVerdict(pod) === 'Safe' && mayEvictWords(podKey(pod), pressure) !== '';

/** The pressure conditions of a node that are True. */
export const pressedOf = ({conditions}: PressureForecast): readonly PressureCondition[] =>
	conditions.flatMap(({condition, isTrue}) => (isTrue ? [condition] : []));

/** The signal that is nearest to one of its thresholds; undefined if none is measured. */
export function nearestOf(signals: readonly SignalForecast[]): SignalForecast | undefined {
	return signals.filter(({thresholds}) => thresholds.length > 0).toSorted(ascending(shareAbove))[0];
}

/** How far a signal is above its nearest threshold, as a share of the threshold; negative below it. */
export const shareAbove = ({thresholds}: SignalForecast): number =>
	minOf(thresholds.map(({quantity, distance}) => distance / Math.max(1, Number(int64Of(quantity)))));

/** When a pod is evicted, and what decides that if nothing bounds it. */
export const evictedWhen = (
	eviction: PressureEviction,
	pressure: Pick<PressureForecast, 'signals'>,
	now: Instant,
): string => linked(', ', whenWords(eviction.when, now), untilWords(eviction, pressure, now));

/** When a True condition ends; null while a threshold is met and no end of that is predicted: any time would keep moving. */
export const conditionEnd = ({held, isMet}: PressureConditionForecast): Range | null =>
	isMet && held?.about === null ? null : held;

/** What the end of a True condition depends on: `5m after evictions free enough (about 14:02:15Z)`. */
export function endReason({isMet, held, transitionPeriod}: PressureConditionForecast, now: Instant): string {
	if (!isMet) return 'unless a threshold is crossed again';
	const about = held?.about ?? null;
	const what =
		about === null
			? 'the kubelet last finds a threshold crossed'
			: `evictions free enough (about ${clockTime(about - transitionPeriod, now)})`;
	return `${formatDuration(transitionPeriod)} after ${what}`;
}

/** When a condition that is True ends, and what that depends on. */
export function endWords(one: PressureConditionForecast, now: Instant): string {
	const end = conditionEnd(one);
	if (one.held === null) return '';
	return `ends ${end ? `${whenWords(end, now)}, ` : ''}${endReason(one, now)}`;
}

/** The conditions of a node that are True, and when they end. */
export const endsOf = ({conditions}: PressureForecast, now: Instant): readonly string[] =>
	conditions.flatMap((one) => (one.isTrue && one.held ? [`${one.condition} ${endWords(one, now)}`] : []));

/** A node's pressure in words: its conditions, and the pod that its kubelet evicts next. */
export function nodeWords(pressure: PressureForecast, now: Instant): readonly string[] {
	const {conditions, evictions, observedAt} = pressure;
	const held = conditions
		.filter(({isTrue}) => isTrue)
		.map(
			({condition, since}) =>
				`${condition} ${since === null ? 'is True' : `has been True for ${ago(since, now)}`}: its kubelet evicts pods by its own rules`,
		);
	const [next] = evictions;
	if (observedAt === null && !next) return [...held, 'its kubelet’s statistics are not seen'];
	const falls = held.length > 0 ? ifFallsWords(pressure) : '';
	if (!next) return falls === '' ? held : [...held, falls];
	const {pod, isCertain} = next;
	const word = isCertain ? 'is evicted' : 'may be evicted';
	return [...held, `pod ${podKey(pod)} ${word} first, ${evictedWhen(next, pressure, now)}`];
}
