import type {Instant} from '../core/time/instant.ts';

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i;

/** Reads an RFC 3339 time; a MicroTime keeps its microseconds as a fraction. Undefined for anything else. */
export function decodeTime(value: unknown): Instant | undefined {
	const match = typeof value === 'string' ? rfc3339.exec(value) : null;
	if (!match) return undefined;
	const [, seconds, fraction = '', zone = ''] = match;
	// Date keeps whole milliseconds only, so the fraction is added beside it.
	const wholeSeconds = Date.parse(`${seconds}${zone}`.toUpperCase());
	return Number.isNaN(wholeSeconds) ? undefined : wholeSeconds + Number(`0${fraction}`) * 1000;
}
