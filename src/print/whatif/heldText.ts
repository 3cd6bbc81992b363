import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import {isSaved} from '../../forecast/whatif/podsInDanger.ts';
import {bestFirst, type HeldZone, type Trigger} from '../../forecast/whatif/triggers.ts';
import {someOf} from '../../forecast/words.ts';
import {wrap} from '../wrap.ts';
import {podChangesText, stayHeldTexts} from './whatIfAnswer.ts';

/** What would release held pods, or change that: one text for all zones stopped by the same cause. */
export const heldTexts = (held: readonly HeldZone[], now: Instant, timeZone: TimeZone): readonly string[] =>
	[...Map.groupBy(held, ({by}) => by).values()].map((zones) => heldText(zones, now, timeZone));

function heldText(zones: readonly HeldZone[], now: Instant, timeZone: TimeZone): string {
	const isTold = (one: Trigger) =>
		one.pods.some((pod) => pod.effect !== 'unchanged' || isSaved(pod)) || !isStart(one);
	const all = zones.flatMap(({triggers}) => triggers).toSorted(bestFirst);
	const told = [...all.filter((one) => !isStart(one)), ...all.filter(isStart)].filter(isTold);
	const alike = Map.groupBy(told, (one) => triggerWords(one, now));
	const rows = [...alike].map(([words, ones]) => {
		const what = [...new Set(ones.map((one) => one.what))].join(', or ');
		return wrap(`${what}: ${words}`, '  ', '  ');
	});
	const by = zones[0]?.by ?? '';
	const names = zones.map(({zone}) => zone);
	const where = names.some((zone) => by.includes(zone))
		? ''
		: ` in ${names.length === 1 ? 'zone' : 'zones'} ${names.join(', ')}`;
	return `${wrap(`Held${where}: ${inTimeZone(by, now, timeZone)}. What would change that, if it happened now:`, '')}${rows.join('')}`;
}

const isStart = ({change}: Trigger): boolean => change.some(({type}) => type === 'controllersStart');

const triggerWords = ({pods, unread}: Trigger, now: Instant): string =>
	`${[podChangesText(pods, now), ...stayHeldTexts(pods)].join('; ')}${unread.length > 0 ? `, not counting pods of ${someOf(unread)}` : ''}`;
