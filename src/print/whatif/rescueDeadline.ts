import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {formatAtLeast, formatDuration} from '../../dates/duration.ts';
import {clockTime} from '../../dates/utc.ts';
import type {Range} from '../../forecast/range.ts';
import {isOfLifecycle} from '../../forecast/whatif/knownReturns.ts';
import {atOnce} from '../../forecast/whatif/remedy.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import {formatWhen} from '../countdown.ts';

/** The latest return of its node that certainly saves a pod; undefined if none does. */
export const untilOf = ({remedies, isNodeWell, forecast}: PodRescue, now: Instant) =>
	isNodeWell ? beforeRepair(forecast.eviction, now) : remedies.find(({kind}) => kind === 'NodeBack')?.until;

/** The deadline for fixing a Ready node before it is repaired or its kubelet evicts; undefined if that has begun. */
export const beforeRepair = (eviction: Range | null, now: Instant) =>
	eviction && eviction.earliest > now ? eviction.earliest : undefined;

/** The deadline of a pod, if there is time to act; nearer ones would slide from look to look. */
export function timelyUntil(rescue: PodRescue, now: Instant): Instant | undefined {
	const until = untilOf(rescue, now);
	return until !== undefined && until - now >= atOnce ? until : undefined;
}

/** When its node must be back: `14:07:31Z`, `14:07:31Z at least`, `at once`, or why there is no such time. */
export function deadlineWords(rescue: PodRescue, now: Instant): string {
	const until = timelyUntil(rescue, now);
	return until === undefined ? whyNoTime(rescue, now) : atLeast(clockTime(until, now), rescue);
}

/** The time left for it: `24s`, `24s at least`, `<5s`, `not sure` if it may still be in time, `-` if there is none. */
export function leftWords(rescue: PodRescue, now: Instant): string {
	const until = timelyUntil(rescue, now);
	if (until !== undefined) return atLeast(formatAtLeast(until - now), rescue);
	if (deadlineWords(rescue, now) !== onceWords) return '-';
	return untilOf(rescue, now) === undefined ? 'not sure' : `<${formatDuration(atOnce)}`;
}

/** Marks a deadline that need not be the latest. */
const atLeast = (words: string, rescue: PodRescue) => (isReturnEarly(rescue) ? `${words} at least` : words);

const isReturnEarly = ({remedies}: PodRescue) =>
	remedies.some(({kind, isEarly}) => kind === 'NodeBack' && isEarly);

const seeItself = 'see rescue POD';

function whyNoTime(rescue: PodRescue, now: Instant): string {
	const {forecast, remedies, isNodeWell} = rescue;
	const kind = forecast.cause?.kind;
	// An early deadline that is over says nothing of the latest.
	if (isReturnEarly(rescue)) return seeItself;
	if (untilOf(rescue, now) !== undefined) return onceWords;
	if (isNodeWell || kind === 'NodeRemoval') return 'no use: its node is removed';
	if (kind === 'NodePressure') return 'no use: its own kubelet evicts it';
	if (kind === 'DeviceTaint') return 'no use: its device evicts it';
	if (kind === 'NodeShutdown') return 'no use: its node shuts down';
	if (kind === 'EvictionRequest') return 'no use: its eviction is requested';
	if (kind === 'Taint' && !isOfLifecycle(forecast)) return "no use: its taint is somebody else's";
	if (forecast.isUntold) return 'not told';
	if (remedies.length === 0) return seeItself;
	return isOpen(forecast.eviction, now) ? onceWords : 'may be too late';
}

/** An eviction that may come any moment, but also this much later, is still likely to be prevented. */
const open: Duration = 15 * second;

export const isOpen = (eviction: Range | null, now: Instant) =>
	eviction !== null && eviction.end - now > open;

/** A remedy that may be in time if it is done now. */
export const onceWords = 'at once';

/** `by 08:19:29Z (in 5m)`, `at once`. */
export const byWords = (until: Instant, now: Instant) =>
	until - now < atOnce ? onceWords : `by ${clockTime(until, now)} (in ${formatAtLeast(until - now)})`;

/** Why there is no time to lose: `may be in time: it is evicted in 0s-1h3m`; empty if the eviction comes soon. */
export const anyMomentWords = (eviction: Range | null, now: Instant) =>
	eviction && isOpen(eviction, now) ? `may be in time: it is evicted ${formatWhen(eviction, now)}` : '';
