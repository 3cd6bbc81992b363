import type {Instant} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import type {Range} from '../podForecast.ts';
import {isoTime, type When, whenWords} from '../words.ts';
import type {Reason, Step} from './explanation.ts';

/** A step whose evidence is not looked up yet: of most steps only the words are ever read. */
export type Draft = {
	readonly at: When;
	readonly what: string;
	readonly detail: () => Pick<Step, 'rule' | 'evidence'>;
};

/** The same of a reason why a pod stays, or may. */
export type ReasonDraft = Draft & Pick<Reason, 'reason' | 'effect'>;

/** A step with its rule and its evidence. */
export const stepOf = ({at, what, detail}: Draft): Step => ({at, what, ...detail()});

/** A reason with its rule and its evidence. */
export const reasonOf = ({reason, effect, ...draft}: ReasonDraft): Reason => ({
	reason,
	effect,
	...stepOf(draft),
});

/** A step in one sentence, as lists of reasons have it. */
export function sentenceOf({at, what}: Draft, now: Instant): string {
	const when = whenWords(at, now);
	return when === '' ? what : `${when} ${what}`;
}

/** No rule and nothing to show. */
export const plain = () => ({rule: null, evidence: []});

/** An interval as a forecast's range, its middle for expected. */
export const rangeOf = ({lo, hi}: Interval): Range => ({earliest: lo, expected: (lo + hi) / 2, latest: hi});

/** The same for an interval that may not be known, or not be bounded. */
export const whenOf = (interval: Interval | undefined): When =>
	interval && Number.isFinite(interval.lo) && Number.isFinite(interval.hi) ? rangeOf(interval) : null;

/** A range in a fact's value. */
export const isoRange = ({lo, hi}: Interval): string =>
	lo === hi ? isoTime(lo) : `${isoTime(lo)}/${isoTime(hi)}`;
