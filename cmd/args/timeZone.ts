import {systemTimeZone, type TimeZone, timeZoneNamed, timeZoneNames, utc} from '../../src/dates/timeZone.ts';
import {nearest} from './nearest.ts';
import {invalidValue} from './usageError.ts';

/** The zone that `--time-zone` names. @throws UserError where there is none of that name */
export function timeZoneOf(text: string): TimeZone {
	const zone = timeZoneNamed(text);
	if (zone !== undefined) return zone;
	throw invalidValue('time-zone', text, unknownTimeZone(text));
}

/** What to say of a zone that there is not, with the one that was perhaps meant. */
export function unknownTimeZone(text: string): string {
	const meant = suggestion(text.toLowerCase());
	return `want local, utc, or Area/City as in Europe/Berlin${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

/** The zone whose whole name is near; of a word without an area, the one whose city is. */
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
 * The zone in which times are shown and read where neither a flag nor the configuration file names one: on a terminal
 * that of `TZ`, else UTC.
 */
export const defaultTimeZone = (env: NodeJS.ProcessEnv, isTerminal: boolean): TimeZone =>
	isTerminal && env['TZ'] ? systemTimeZone() : utc;
