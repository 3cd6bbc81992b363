import {beginningOfTime, type Duration, type Instant, second} from '../core/time/instant.ts';
import {formatDuration} from '../dates/duration.ts';
import {clockTime, isoTime, roundedEnd} from '../dates/utc.ts';
import type {Range} from './range.ts';
import {isAllDown, type StateStep, type ZoneForecast, type ZoneStop} from './zoneForecast.ts';

export {someOf} from '../text/someOf.ts';
export {clockTime, isoTime};

/** `at 14:07:31Z`, `between 14:07:31Z and 14:07:36Z`, `about 14:07:31Z`; empty for no time. */
export function whenWords(
	at: Instant | Pick<Range, 'earliest' | 'latest' | 'about'> | null,
	now: Instant,
): string {
	if (at === null) return '';
	if (typeof at === 'number') return `at ${clockTime(at, now)}`;
	if (at.about !== null) return `about ${clockTime(at.about, now)}`;
	const from = clockTime(at.earliest, now);
	if (at.latest === null) return `at ${from} or later`;
	const to = clockTime(roundedEnd({earliest: at.earliest, latest: at.latest}, now), now);
	return from === to ? `at ${from}` : `between ${from} and ${to}`;
}

/** A duration as in Go and in Kubernetes' flags: `50s`, `1m0s`, `1h0m0s`. */
export function goDuration(duration: Duration): string {
	const seconds = Math.round(duration / (second / 1000)) / 1000;
	const hours = Math.floor(seconds / 3600);
	const minutes = Math.floor(seconds / 60) % 60;
	const rest = `${Number((seconds % 60).toFixed(3))}s`;
	if (hours > 0) return `${hours}h${minutes}m${rest}`;
	return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** How long ago something was, in whole seconds. */
export const ago = (since: Instant, now: Instant) => formatDuration(now - since);

/** A flag with its value, without dashes. */
export const flag = (name: string, value: string | number) => `${name}=${value}`;

/** `1 node`, `2 nodes`. */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** A share of all cases, in whole percent, but never none or all: `13%`. */
export const percent = (share: number) => `${Math.min(99, Math.max(1, Math.round(100 * share)))}%`;

/**
 * How the cases lie in a wide range: `as likely before 06:33:44Z as after, and in 8 of 10 cases between ... and ...`, after how likely
 * it comes at all if that is not sure; empty if the ends say enough.
 */
export function oddsWords({expected, likely, probability, isWorthOdds}: Range, now: Instant): string {
	const atAll = probability === undefined ? '' : `it goes at all in ${percent(probability)} of the cases`;
	if (!likely || !isWorthOdds) return atAll;
	const within = whenWords({earliest: likely.from, latest: likely.until, about: null}, now);
	const when = `as likely before ${clockTime(expected, now)} as after, and in 8 of 10 cases ${within}`;
	return linked('; if so, ', atAll, when);
}

/** A number of which not all is known: the mean of all cases, and what it is in the central 80 % of them. */
export type Estimate = {readonly expected: number; readonly from: number; readonly until: number};

/** Such a number in words: `60`, `up to 2`, `about 60 (52-66)`. @param dash between its ends */
export function numberWords({expected, from, until}: Estimate, dash = '-'): string {
	const [shown, least, most] = [expected, from, until].map(Math.round);
	if (least === most) return String(most);
	return shown === 0 ? `up to ${most}` : `about ${shown} (${least}${dash}${most})`;
}

/** What stops evictions, without why: `evictions in zone eu/b are stopped`. */
export const stopInBrief = (by: string) => by.split(/:|, | \(/)[0] ?? by;

/** How surely a zone has its state: nodes that are not seen may be of it. */
export const stateVerb = ({isStateAssumed}: Pick<ZoneForecast, 'isStateAssumed'>) =>
	isStateAssumed ? 'may be' : 'is';

/** How surely the evictions of a zone are stopped. */
export const stoppedWords = {
	now: 'are stopped',
	toCome: 'are about to stop',
	inDoubt: 'may be stopped',
	forGood: 'stay stopped',
} as const;

/** The same of a stop. */
export const stopVerb = ({isToCome, isInDoubt, isForGood}: ZoneStop) =>
	stoppedWords[isForGood ? 'forGood' : isInDoubt ? 'inDoubt' : isToCome ? 'toCome' : 'now'];

/** What a new controller manager does: it keeps nothing from the one before. */
export const startsAgain = 'every grace period and countdown starts again';

/** `a, b and c`, `30s, 60s or 300s`. */
export const joined = (parts: readonly string[], word: 'and' | 'or') =>
	parts.join(', ').replace(/, (?=[^,]*$)/, ` ${word} `);

/** `3 held`; empty for none. */
export const counted = (number: number, what: string) => (number > 0 ? `${number} ${what}` : '');

/** The parts that are not empty, with this between them. */
export const linked = (by: string, ...parts: readonly string[]) =>
	parts.filter((part) => part !== '').join(by);

/** `1st`, `2nd`, `11th`. */
export function ordinal(number: number): string {
	const last = number % 10;
	const isTeen = Math.floor((number % 100) / 10) === 1;
	const ending = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][last];
	return `${number}${ending ?? 'th'}`;
}

/** When something happened or will; null if it has no time. */
export type When = Instant | Range | null;

/** The earliest time; the beginning of time if there is none. */
export const startOf = (at: When = null) =>
	at === null ? beginningOfTime : typeof at === 'number' ? at : at.earliest;

/** How evictions change from one rate to another: `stop`, `resume`. */
export function paceVerb(before: number, then: number): string {
	if (then === 0) return before === 0 ? 'stay stopped' : 'stop';
	if (before === 0) return 'resume';
	return then === before ? 'go on' : then < before ? 'slow down' : 'speed up';
}

/** The same of a step to another state: `may stop` if its thresholds are not known. */
export const changeVerb = (before: number, {rate, isAssumed}: StateStep): string =>
	`${isAssumed ? 'may ' : ''}${paceVerb(before, rate)}`;

/** The same with the rate in nodes per second: `resume at 0.1/s`, `stop`. */
export const paceTo = (before: number, step: StateStep): string =>
	changeVerb(before, step) +
	(step.rate === 0 ? '' : ` ${[0, step.rate].includes(before) ? 'at' : 'to'} ${perSecond(step.rate)}`);

/** The same in words: `evictions resume at 0.1/s`, `evictions stop, as every zone is down`. */
export const paceThen = (before: number, step: StateStep): string =>
	`evictions ${paceTo(before, step)}${before > 0 && isAllDown(step) ? ', as every zone is down' : ''}`;

/** A rate: `0.1/s`. */
export const perSecond = (rate: number) => `${Number(rate.toPrecision(3))}/s`;

/** The same with the state, of a step that may take the only controller manager: `evictions stop (PartialDisruption)`. */
export const stepWords = (before: number, step: Omit<StateStep, 'nodesDown' | 'nodesBack'>) =>
	`${step.isControllerLost ? 'all evictions stop, as no controller manager is left' : paceThen(before, step)} (${step.state})`;

/** A zone's rate; nothing may show it yet. */
type ZoneRate = Pick<ZoneForecast, 'rate' | 'isRateAssumed'>;

/** What follows a rate that nothing shows yet; empty for a known one. */
export const assumedWords = ({isRateAssumed}: Pick<ZoneRate, 'isRateAssumed'>) =>
	isRateAssumed ? ', if the default rate holds' : '';

/** How often a zone taints a node, from its rate per second: `one node every 10s`, `one node every 1m40s`. */
export const onePer = (rate: number) =>
	`one node every ${rate > shortPace ? `${Number((1 / rate).toPrecision(2))}s` : formatDuration(second / rate)}`;
/** At higher rates, whole seconds are too coarse. */
const shortPace = 0.1;

/**
 * The pace of tainting: `one node tainted every 10s`, `5 nodes tainted per second`, `one node tainted every 1m40s, if the
 * default rate holds`.
 */
export const taintPace = ({rate, ...pace}: ZoneRate) =>
	(rate > 1
		? `${Number(rate.toFixed(1))} nodes tainted per second`
		: onePer(rate).replace('node', 'node tainted')) + assumedWords(pace);

/** A text with a capital letter at its start. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text with a small letter at its start. */
export const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** The text with a capital letter and a full stop. */
export const sentence = (text: string) => `${capitalized(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
