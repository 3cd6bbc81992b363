import {type Instant, second} from '../../core/time/instant.ts';
import {decodeTime} from './rawJson.ts';

/** The first and last second of RFC 3339, whose years have four digits. */
const firstSecond = Date.parse('0000-01-01T00:00:00Z') / second;
const lastSecond = Date.parse('9999-12-31T23:59:59Z') / second;

/**
 * Formats an instant as RFC 3339 in UTC, with milliseconds, or more digits if needed to parse the same number: leases have
 * microseconds. Undefined outside RFC 3339's range.
 */
export function recordedTime(at: Instant | undefined): string | undefined {
	// The last nanoseconds of the year 9999 are parsed as its end.
	if (at === undefined || !(at >= firstSecond * second && at <= (lastSecond + 1) * second)) return undefined;
	const seconds = Math.min(Math.floor(at / second), lastSecond);
	const start = new Date(seconds * second).toISOString().slice(0, '2006-01-02T15:04:05'.length);
	const written = (digits: number) => {
		const fraction = Math.round((at - seconds * second) * 10 ** (digits - 3));
		return `${start}.${String(Math.min(fraction, 10 ** digits - 1)).padStart(digits, '0')}Z`;
	};
	for (const digits of [3, 6]) {
		const text = written(digits);
		if (decodeTime(text) === at) return text;
	}
	return written(9);
}
