import type {Instant} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import {Range} from '../range.ts';
import {isoTime, type When, whenWords} from '../words.ts';
import type {Reason, Step} from './explanation.ts';

/** A step whose rule and evidence are looked up only on demand: most steps are only shown as a sentence. */
export type Draft = {
	readonly at: When;
	readonly what: string;
	readonly isAside?: true;
	readonly detail: () => Pick<Step, 'rule' | 'evidence'>;
};

/** A reason whose rule and evidence are looked up only on demand. */
export type ReasonDraft = Draft & Pick<Reason, 'reason' | 'effect'>;

/** A step with its rule and its evidence. */
export const stepOf = ({at, what, isAside, detail}: Draft): Step => ({
	at,
	what,
	...(isAside && {isAside}),
	...detail(),
});

/** A reason with its rule and its evidence. */
export const reasonOf = ({reason, effect, ...draft}: ReasonDraft): Reason => ({
	reason,
	effect,
	...stepOf(draft),
});

/** A step as one sentence, for lists of reasons. */
export function sentenceOf({at, what}: Draft, now: Instant): string {
	const when = whenWords(at, now);
	return when === '' ? what : `${when} ${what}`;
}

/** The detail of a step without rule and evidence. */
export const plain = () => ({rule: null, evidence: []});

/** An interval as a range; null where it is not known, or has an end that is not bounded. */
export const whenOf = (interval: Interval | undefined): When =>
	interval && Number.isFinite(interval.lo) && Number.isFinite(interval.hi) ? Range.over(interval) : null;

/** An interval as the value of a fact. */
export const isoRange = ({lo, hi}: Interval): string =>
	lo === hi ? isoTime(lo) : `${isoTime(lo)}/${isoTime(hi)}`;
