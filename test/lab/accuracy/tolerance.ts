import {type Instant, second} from '../../../src/core/time/instant.ts';

/** The maximum time between a controller's action and the recording of its watch event. */
export const tolerance = second;
export const blogTolerance = 5 * second;

/** An instant as a time of day. */
export const time = (at: Instant) => new Date(at).toISOString().slice(11, 23);
