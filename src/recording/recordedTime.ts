import type {Instant} from '../core/time/instant.ts';

const longestYear = Date.UTC(10_000, 0);

/**
 * Writes an instant as RFC 3339 in UTC, with milliseconds, and as many digits more as it takes to read the very same
 * number back: leases carry microseconds. Undefined for what RFC 3339 cannot say.
 */
export function recordedTime(at: Instant): string | undefined {
	if (!(at >= -longestYear && at < longestYear)) return undefined;
	const seconds = Math.floor(at / 1000);
	const nanoseconds = Math.round((at - seconds * 1000) * 1e6);
	// Rounding up may make it a whole second.
	const [whole, rest] = nanoseconds === 1e9 ? [seconds + 1, 0] : [seconds, nanoseconds];
	const date = new Date(whole * 1000).toISOString();
	if (date.length !== '2006-01-02T15:04:05.000Z'.length) return undefined;
	const digits = String(rest)
		.padStart(9, '0')
		.replace(/0{1,6}$/, '');
	return `${date.slice(0, 19)}.${digits}Z`;
}
