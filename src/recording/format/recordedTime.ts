import {decodeTime} from '../../cluster/codec/values.ts';
import type {Instant} from '../../core/time/instant.ts';

const longestYear = Date.UTC(10_000, 0);

/**
 * Writes an instant as RFC 3339 in UTC, with milliseconds, and as many digits more as it takes to read the very same
 * number back: leases carry microseconds. Undefined for what RFC 3339 cannot say.
 */
export function recordedTime(at: Instant): string | undefined {
	if (!(at >= -longestYear && at < longestYear)) return undefined;
	const seconds = Math.floor(at / 1000);
	for (const digits of [3, 6, 9]) {
		const fraction = Math.round((at - seconds * 1000) * 10 ** (digits - 3));
		// Rounding up may make it a whole second.
		const isWhole = fraction === 10 ** digits;
		const text = textOf(isWhole ? seconds + 1 : seconds, isWhole ? 0 : fraction, digits);
		// Fewer digits may round it up into a year that cannot be written.
		if (text !== undefined && (digits === 9 || decodeTime(text) === at)) return text;
	}
	return undefined;
}

function textOf(seconds: number, fraction: number, digits: number): string | undefined {
	const date = new Date(seconds * 1000).toISOString();
	// Years of more than four digits have no place in RFC 3339.
	if (date.length !== '2006-01-02T15:04:05.000Z'.length) return undefined;
	return `${date.slice(0, 19)}.${String(fraction).padStart(digits, '0')}Z`;
}
