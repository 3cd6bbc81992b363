import {type Instant, second} from '../../../src/core/time/instant.ts';

/** What lies between the controller's act and the instant at which its watch event is noted, at most. */
export const tolerance = second;
export const blogTolerance = 5 * second;

/** An instant for people: the time of day. */
export const time = (at: Instant) => new Date(at).toISOString().slice(11, 23);
