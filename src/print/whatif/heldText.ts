import type {Instant} from '../../core/time/instant.ts';
import {inTimeZone} from '../../dates/format.ts';
import type {TimeZone} from '../../dates/timeZone.ts';
import type {PodForecast} from '../../forecast/podForecast.ts';
import type {HeldZone, Trigger} from '../../forecast/whatif/triggers.ts';
import {someOf} from '../../forecast/words.ts';
import {formatWhen} from '../countdown.ts';
import {TabWriter} from '../tables/tabWriter.ts';
import {podChangesText} from './whatIfAnswer.ts';

const mostNamed = 3;

/** What would release held pods, or change that: once for all zones that the same thing stops. */
export const heldTexts = (
	held: readonly HeldZone[],
	asked: readonly PodForecast[],
	now: Instant,
	timeZone: TimeZone,
): readonly string[] =>
	[...Map.groupBy(held, ({by}) => by).values()].map((zones) => heldText(zones, asked, now, timeZone));

/** @param asked the held pods that were asked for; of a single one it is said when it goes */
function heldText(
	zones: readonly HeldZone[],
	asked: readonly PodForecast[],
	now: Instant,
	timeZone: TimeZone,
): string {
	const isTold = (one: Trigger) => one.pods.some(({effect}) => effect !== 'unchanged') || !isStart(one);
	const all = zones.flatMap(({triggers}) => triggers);
	const starts = all.filter(isStart).slice(0, 1);
	const rows = [...all.filter((one) => !isStart(one)), ...starts]
		.filter(isTold)
		.map((one) => [`  ${one.what}`, [triggerWords(one, now), ...ownWords(one, asked, now)].join('; ')]);
	const table = new TabWriter().write(rows).replaceAll(/ +$/gm, '');
	const by = zones[0]?.by ?? '';
	const names = zones.map(({zone}) => zone);
	const where = names.some((zone) => by.includes(zone))
		? ''
		: ` in ${names.length === 1 ? 'zone' : 'zones'} ${names.join(', ')}`;
	return `Held${where}: ${inTimeZone(by, now, timeZone)}. What would change that, if it happened now:\n${table}`;
}

const isStart = ({change}: Trigger): boolean => change.some(({type}) => type === 'controllersStart');

const triggerWords = ({pods, unread}: Trigger, now: Instant): string =>
	`${podChangesText(pods, now)}${unread.length > 0 ? `, not counting pods of ${someOf(unread, mostNamed)}` : ''}`;

function ownWords({pods}: Trigger, asked: readonly PodForecast[], now: Instant): readonly string[] {
	const [own, ...others] = asked;
	if (!own || others.length > 0 || !pods.some(({effect}) => effect === 'added')) return [];
	const after = pods.find((one) => one.after.uid === own.uid)?.after;
	return [`pod/${own.name} ${after?.eviction ? formatWhen(after.eviction, now) : 'is not evicted'}`];
}
