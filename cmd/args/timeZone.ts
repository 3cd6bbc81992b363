import {systemTimeZone, type TimeZone, timeZoneNamed, timeZoneNames, utc} from '../../src/dates/timeZone.ts';
import {invalidValue, nearest} from './usageError.ts';

/** The time zone of `--time-zone`. @throws UserError if it is unknown */
export function timeZoneOf(text: string): TimeZone {
	const zone = timeZoneNamed(text);
	if (zone !== undefined) return zone;
	throw invalidValue('time-zone', text, unknownTimeZone(text));
}

/** The error text for an unknown time zone, with a suggestion. */
export function unknownTimeZone(text: string): string {
	const meant = suggestion(text.toLowerCase());
	return `want local, utc, or Area/City as in Europe/Berlin${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

/** A time zone with a similar name; a word without an area is compared with the cities. */
function suggestion(text: string): TimeZone | undefined {
	const names = ['local', ...timeZoneNames()];
	const partOf = (name: string) => {
		const lower = name.toLowerCase();
		return text.includes('/') ? lower : lower.slice(lower.lastIndexOf('/') + 1);
	};
	const byPart = new Map(names.map((name) => [partOf(name), name]));
	const near = nearest(text.replaceAll(' ', '_'), [...byPart.keys()]);
	return near === undefined ? undefined : byPart.get(near);
}

/**
 * The default time zone, if neither a flag nor the configuration file names one: that of `TZ` on a terminal, else UTC.
 */
export const defaultTimeZone = (env: NodeJS.ProcessEnv, isTerminal: boolean): TimeZone =>
	isTerminal && env['TZ'] ? systemTimeZone() : utc;
