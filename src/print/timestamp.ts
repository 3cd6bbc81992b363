import type {Instant} from '../core/time/instant.ts';

/** RFC 3339 in UTC with milliseconds, as JSON output has it. */
export const formatTimestamp = (instant: Instant): string => new Date(Math.round(instant)).toISOString();

/** RFC 3339 in UTC with whole seconds, as kubectl shows times. */
export const formatTimestampSeconds = (instant: Instant): string =>
	formatTimestamp(Math.round(instant / 1000) * 1000).replace('.000Z', 'Z');
