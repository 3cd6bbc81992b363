import {tzOffset} from '@date-fns/tz/tzOffset';
import type {Instant} from '../core/time/instant.ts';

/** A time zone by its name in the IANA database, or `UTC`. */
export type TimeZone = string;

export const utc: TimeZone = 'UTC';

/** The zone of this process: that of `TZ`, else the system's own. */
export const systemTimeZone = (): TimeZone => {
	const {timeZone} = Intl.DateTimeFormat().resolvedOptions();
	// What Node.js says for a TZ that it does not know.
	return timeZone === undefined || timeZone === 'Etc/Unknown' || isUtc(timeZone) ? utc : timeZone;
};

const isUtc = (name: string): boolean => /^(etc\/)?(utc|gmt|universal|zulu|uct)$/i.test(name);

/** Names of today for zones that CLDR, and with it Node.js, lists by older ones: `Asia/Calcutta`. */
const newerNames: readonly TimeZone[] = [
	...['Africa/Asmara', 'America/Argentina/Buenos_Aires', 'America/Indiana/Indianapolis', 'America/Nuuk'],
	...['Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Yangon', 'Atlantic/Faroe', 'Europe/Kyiv'],
	...['Pacific/Chuuk', 'Pacific/Kanton', 'Pacific/Pohnpei'],
];

/** The zones that this Node.js knows, with `UTC`, by older and newer names. */
export const timeZoneNames = (): readonly TimeZone[] =>
	[...new Set([utc, ...Intl.supportedValuesOf('timeZone'), ...newerNames])].toSorted();

/**
 * The zone that a user means with `local`, `utc` or `Area/City`, in any case of letters, older and newer names of one
 * zone alike; undefined where there is none.
 */
export function timeZoneNamed(text: string): TimeZone | undefined {
	if (text.toLowerCase() === 'local') return systemTimeZone();
	if (isUtc(text)) return utc;
	// Node.js takes offsets and abbreviations, too; those know no daylight saving time.
	if (!/^[a-z_]+(\/[a-z0-9_+-]+)+$/i.test(text)) return undefined;
	try {
		Intl.DateTimeFormat('en-US', {timeZone: text});
	} catch {
		return undefined;
	}
	return timeZoneNames().find((name) => name.toLowerCase() === text.toLowerCase()) ?? capitalized(text);
}

/** `Asia/Kolkata` for `asia/kolkata`: names that are not canonical stand in no list. */
const capitalized = (text: string): TimeZone =>
	text === text.toLowerCase()
		? text.replaceAll(/(?<=^|[/_-])[a-z]/g, (letter) => letter.toUpperCase()).replace(/^Us(?=\/)/, 'US')
		: text;

/** How far a zone is ahead of UTC at an instant, in minutes. */
export const offsetOf = (instant: Instant, zone: TimeZone): number =>
	zone === utc ? 0 : tzOffset(zone, new Date(instant));

/** The zone for a headline: `UTC`, `Europe/Berlin (UTC+01:00)`. */
export function timeZoneWords(instant: Instant, zone: TimeZone): string {
	return zone === utc ? zone : `${zone} (UTC${offsetText(offsetOf(instant, zone))})`;
}

/** `+05:30`. */
export function offsetText(minutes: number): string {
	const size = Math.abs(minutes);
	const digits = (number: number) => String(Math.trunc(number)).padStart(2, '0');
	return `${minutes < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`;
}
