import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Batch, WatchEnd} from './watch.ts';

/** Delivery time of a change in a watch. */
const delivery: Duration = second / 10;
/** After a pause of this length, the backlog has been delivered: the server sends it without pauses. */
const pauseAfterBacklog: Duration = second;
/** The backlog has been delivered by then in any case. */
const longestBacklog: Duration = 10 * second;
/** A write this long before the watch opened is backlog. Write times are truncated to seconds, and clocks may differ by two. */
const surelyBefore: Duration = 3 * second;

type BatchTimes = Pick<Batch<unknown>, 'arrivedAt' | 'isBookmarked'> &
	Partial<Pick<Batch<unknown>, 'writtenAt'>>;

/**
 * Separates news from backlog. A watch starts where another ended, and first delivers what happened meanwhile.
 *
 * @param before until when everything was seen before
 * @param openedAt when the server began to answer
 */
export function watchProgress(before: Instant, openedAt: Instant) {
	let lastAt = openedAt;
	let isCaughtUp = false;
	return {
		openedAt,
		/** For a batch that may be backlog, the start of the period in which it happened; undefined for news. */
		arrived: ({arrivedAt, isBookmarked, writtenAt = arrivedAt}: BatchTimes): Instant | undefined => {
			// An API server that lags opens a watch at once, and sends the backlog a moment later. News after a quiet period looks
			// the same: only write times distinguish them, and not all objects have one.
			const isBacklog = writtenAt < openedAt - surelyBefore;
			const isAfterPause = arrivedAt - lastAt >= pauseAfterBacklog && !isBacklog;
			isCaughtUp ||= isAfterPause || arrivedAt - openedAt >= longestBacklog;
			const since = isCaughtUp ? undefined : before;
			// A bookmark follows everything that it covers.
			isCaughtUp ||= isBookmarked;
			lastAt = arrivedAt;
			return since;
		},
		/** Whether a batch shows the present, as events arrive in order of writing. Undefined if it has no write time. */
		reachesPresent: ({lastWrittenAt}: Pick<Batch<unknown>, 'lastWrittenAt'>): boolean | undefined =>
			lastWrittenAt === undefined ? undefined : lastWrittenAt >= openedAt - surelyBefore,
		/** Until when everything was seen, once the watch has ended. */
		seenUntil: (end: WatchEnd, now: Instant): Instant => {
			if (!isCaughtUp && now - lastAt < pauseAfterBacklog) return before;
			// A server that ends a watch has sent everything except the last moment.
			return (end === 'ended' ? now : lastAt) - delivery;
		},
	};
}

export type WatchProgress = ReturnType<typeof watchProgress>;
