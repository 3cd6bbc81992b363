import type {Timing} from '../../async/timing.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';

/** A reopened watch delivers everything it missed within this time. */
const catchUp: Duration = second;
/** A reopened watch of a lively collection counts as caught up after this long without data: perhaps nothing is left that writes. */
const maxQuiet: Duration = 10 * second;
/** A server may wait for up to this share of the time that the watch was closed before it sends the first missed event. */
const maxDelayShare = 1 / 10;
/** A watch may deliver old changes for this long after it opened; if later changes seem old, a clock is wrong. */
const longestCatchUp: Duration = minute;
/** Minimum time between two postponements. */
const minPostponePeriod: Duration = 2 * second;

/**
 * A period in which changes of a collection are not seen.
 *
 * @param onChange called with its start when a loss begins, and with undefined when it ends
 */
export function collectionLoss(onChange: (since: Instant | undefined) => void, {sleep, elapsed}: Timing) {
	let isLost = false;
	/** Incremented by each loss and each postponement, to cancel earlier timers. */
	let generation = 0;
	let postponedAt: Duration = Number.NEGATIVE_INFINITY;
	const end = () => {
		if (!isLost) return;
		isLost = false;
		onChange(undefined);
	};
	const endAfter = async (duration: Duration, signal: AbortSignal): Promise<void> => {
		if (!isLost) return;
		const own = generation;
		await sleep(duration, signal);
		if (generation === own) end();
	};
	return {
		isLost: () => isLost,
		begin: (since: Instant) => {
			if (isLost) return;
			isLost = true;
			generation += 1;
			onChange(since);
		},
		end,
		/**
		 * Ends the current loss some time after its watch was reopened, unless it ends sooner. A watch delivers what it missed
		 * within a moment; a server that has just started may take longer.
		 *
		 * @param closedFor how long the watch was closed
		 * @param isLively whether data must come all the time, which ends the loss sooner
		 */
		endAfterReopening: (closedFor: Duration, isLively: boolean, signal: AbortSignal): Promise<void> => {
			const quiet = Math.max(maxQuiet, Math.min(longestCatchUp, closedFor * maxDelayShare));
			return endAfter(isLively ? quiet : catchUp, signal);
		},
		/**
		 * Ends the current loss after a batch, or prolongs it: missed changes still arrive, and after an old renewal newer ones follow.
		 *
		 * @param isPresent whether the batch reaches the present; undefined if unknown
		 * @param openFor how long the watch has been open
		 */
		judge: (isPresent: boolean | undefined, openFor: Duration, signal: AbortSignal) => {
			if (isPresent) end();
			const mayPostpone = isLost && elapsed() - postponedAt >= minPostponePeriod;
			if (isPresent !== false || openFor >= longestCatchUp || !mayPostpone) return;
			postponedAt = elapsed();
			generation += 1;
			void endAfter(maxQuiet, signal);
		},
	};
}
