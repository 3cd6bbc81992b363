import type {Instant} from '../../core/time/instant.ts';

/** An instant as meta/v1 Time: whole seconds, cut off, as the API server writes all but leases. */
export const encodeTime = (instant: Instant): string =>
	new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');

/** An instant as meta/v1 MicroTime, for leases. */
export function encodeMicroTime(instant: Instant): string {
	const microseconds = Math.floor((instant - Math.floor(instant)) * 1000);
	return `${new Date(Math.floor(instant)).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}
