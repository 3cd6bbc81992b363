import {type Duration, second} from '../../core/time/instant.ts';
/** How long after the last thing that a pass was seen to do it may still be at work, where nothing throttles it. */
export const passInProgress: Duration = 1.5 * second;
