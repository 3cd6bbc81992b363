import {ascending} from '../../core/collections/ascending.ts';
import type {Duration, Instant} from '../../core/time/instant.ts';
import type {FirstReturn} from '../../forecast/whatif/firstReturns.ts';
import {atOnce, timeToAct} from '../../forecast/whatif/remedy.ts';
import type {PodRescue} from '../../forecast/whatif/rescues.ts';
import {count, counted, linked} from '../../forecast/words.ts';
import {restartOf} from './rescueCommand.ts';
import {deadlineWords, onceWords, timelyUntil} from './rescueDeadline.ts';
import {releasedTexts} from './whatIfAnswer.ts';

/** What to do first: until when it is sure to help, or when instead, the command, and what it does. */
export type DoNow = {
	readonly by: Instant | 'at once' | 'while held';
	readonly command: string;
	readonly effect: string;
};

/** The return that saves most pods of those with the soonest deadline; undefined if nothing can be done any more. */
export function doNow(returns: readonly FirstReturn[], now: Instant): DoNow | undefined {
	for (const room of [timeToAct, atOnce]) {
		const timely = returns.flatMap((one) => timelyOf(one, room, now));
		const [first] = timely.toSorted(ascending(({until}) => until));
		const [best] = timely
			.filter(({until}) => first && until - first.until < atOnce)
			.toSorted((a, b) => b.pods - a.pods);
		if (best) return told(best.of, best.until, `saves ${count(best.pods, 'pod')}`, now);
	}
	const isOpen = (one: PodRescue) =>
		(one.forecast.eviction?.end ?? now) > now && deadlineWords(one, now) === onceWords;
	const open = ({rescues}: FirstReturn) => rescues.filter(isOpen);
	const [last] = returns.toSorted((a, b) => open(b).length - open(a).length || b.held - a.held);
	const maybe = last ? open(last).length : 0;
	if (!last || maybe + last.held === 0) return undefined;
	const effect = maybe > 0 ? `may save ${count(maybe, 'pod')}` : `saves ${count(last.held, 'held pod')}`;
	return told(last, maybe > 0 ? onceWords : 'while held', effect, now);
}

/** Its first deadline that leaves so much time, and the pods that it saves by then. */
function timelyOf(of: FirstReturn, room: Duration, now: Instant) {
	const untilOf = (one: PodRescue) => timelyUntil(one, now) ?? 0;
	const first = of.rescues.find((one) => untilOf(one) - now >= room);
	if (!first) return [];
	const until = untilOf(first);
	return [{of, until, pods: of.rescues.filter((one) => untilOf(one) >= until).length}];
}

const told = ({node, held, price}: FirstReturn, by: DoNow['by'], effect: string, now: Instant): DoNow => ({
	by,
	command: restartOf(node),
	effect: linked(
		'; ',
		linked(' and ', effect, effect.includes('held') ? '' : counted(held, 'held')),
		...releasedTexts(price, now).map((text) => `then ${text}`),
	),
});
