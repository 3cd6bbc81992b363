import {mapBy} from '../../src/core/collections/mapBy.ts';
import {systemTimeZone, type TimeZone, timeZoneNamed, timeZoneNames, utc} from '../../src/dates/timeZone.ts';
import {invalidValue, nearest} from './usageError.ts';

/** The time zone of `--time-zone`. @param unknown the error for an unknown one, which names what is similar */
export function timeZoneOf(
	text: string,
	unknown = (why: string): Error => invalidValue('time-zone', text, why),
): TimeZone {
	const zone = timeZoneNamed(text);
	if (zone !== undefined) return zone;
	const meant = suggestion(text.toLowerCase());
	throw unknown(
		`want local, utc, or Area/City as in Europe/Berlin${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
	);
}

/** A time zone with a similar name; a word without an area is compared with the cities. */
function suggestion(text: string): TimeZone | undefined {
	const names = ['local', ...timeZoneNames()];
	const partOf = (name: string) => {
		const lower = name.toLowerCase();
		return text.includes('/') ? lower : lower.slice(lower.lastIndexOf('/') + 1);
	};
	const byPart = mapBy(names, partOf);
	const near = nearest(text.replaceAll(' ', '_'), [...byPart.keys()]);
	return near === undefined ? undefined : byPart.get(near);
}

/**
 * The default time zone, if neither a flag nor the configuration file names one: that of `TZ` on a terminal, else UTC.
 */
export const defaultTimeZone = (env: NodeJS.ProcessEnv, isTerminal: boolean): TimeZone =>
	isTerminal && env['TZ'] ? systemTimeZone() : utc;
