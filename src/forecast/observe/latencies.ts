import {type Duration, second} from '../../core/time/instant.ts';

/** What a call of the controllers takes at least, and at most where nothing throttles it. */
export const callDuration = {lo: 2, hi: 20};
/** What a call may take where only its report dates it: the API server's clock, and a busy moment. */
export const reportedCallDuration: Duration = second / 10;
/** How long a watch takes to bring a change, at most. */
export const watchDelivery: Duration = second / 10;
/** How long after the last thing that a pass was seen to do it may still be at work, where nothing throttles it. */
export const passInProgress: Duration = 1.5 * second;
/** What a deletion or a taint may take beyond its due time: calls, a busy API server. */
export const latency: Duration = second / 4;
/** How much sooner than in a run something may happen: rounding, and clocks that differ a little. */
export const early: Duration = second / 10;
