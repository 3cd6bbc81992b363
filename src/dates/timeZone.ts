import {tzOffset} from '@date-fns/tz/tzOffset';
import type {Instant} from '../core/time/instant.ts';

/** An IANA time zone name, or `UTC`. */
export type TimeZone = string;

export const utc: TimeZone = 'UTC';

/** The zone of this process: from `TZ`, else the system's. */
export const systemTimeZone = (): TimeZone => {
	const {timeZone} = Intl.DateTimeFormat().resolvedOptions();
	// Node.js reports `Etc/Unknown` for a TZ that it does not know.
	return timeZone === undefined || timeZone === 'Etc/Unknown' || isUtc(timeZone) ? utc : timeZone;
};

const isUtc = (name: string) => /^(etc\/)?(utc|gmt|universal|zulu|uct)$/i.test(name);

/** Current names of zones that CLDR, and so Node.js, lists under older names, such as `Asia/Calcutta`. */
const newerNames: readonly TimeZone[] = [
	...['Africa/Asmara', 'America/Argentina/Buenos_Aires', 'America/Indiana/Indianapolis', 'America/Nuuk'],
	...['Asia/Ho_Chi_Minh', 'Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Yangon', 'Atlantic/Faroe', 'Europe/Kyiv'],
	...['Pacific/Chuuk', 'Pacific/Kanton', 'Pacific/Pohnpei'],
];

/** All zones of this Node.js, and `UTC`, by older and newer names. */
export const timeZoneNames = (): readonly TimeZone[] =>
	[...new Set([utc, ...Intl.supportedValuesOf('timeZone'), ...newerNames])].toSorted();

/** The zone for `local`, `utc` or `Area/City`, in any letter case, by its older or newer name; undefined if unknown. */
export function timeZoneNamed(text: string): TimeZone | undefined {
	if (text.toLowerCase() === 'local') return systemTimeZone();
	if (isUtc(text)) return utc;
	// Node.js also accepts offsets and abbreviations, which have no daylight saving time.
	if (!/^[a-z_]+(\/[a-z0-9_+-]+)+$/i.test(text)) return undefined;
	try {
		Intl.DateTimeFormat('en-US', {timeZone: text});
	} catch {
		return undefined;
	}
	return timeZoneNames().find((name) => name.toLowerCase() === text.toLowerCase()) ?? capitalized(text);
}

/** `asia/kolkata` becomes `Asia/Kolkata`: names that are not canonical are in no list. */
const capitalized = (text: string): TimeZone =>
	text === text.toLowerCase()
		? text.replaceAll(/(?<=^|[/_-])[a-z]/g, (letter) => letter.toUpperCase()).replace(/^Us(?=\/)/, 'US')
		: text;

/** A zone's offset from UTC at an instant, in minutes; positive east of Greenwich. */
export const offsetOf = (instant: Instant, zone: TimeZone): number =>
	zone === utc ? 0 : tzOffset(zone, new Date(instant));

/** The zone in a headline: `UTC`, `Europe/Berlin (UTC+01:00)`. */
export function timeZoneWords(instant: Instant, zone: TimeZone): string {
	return zone === utc ? zone : `${zone} (UTC${offsetText(offsetOf(instant, zone))})`;
}

/** An offset as `+05:30`. */
export function offsetText(minutes: number): string {
	const size = Math.abs(minutes);
	const digits = (number: number) => String(Math.trunc(number)).padStart(2, '0');
	return `${minutes < 0 ? '-' : '+'}${digits(size / 60)}:${digits(size % 60)}`;
}
