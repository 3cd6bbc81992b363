import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {type ApiObject, valueAt} from '../encode/apiObject.ts';

export type ServerColumn = {
	readonly name: string;
	readonly type: 'string' | 'integer';
	/** Only shown with `-o wide`. */
	readonly isWide: boolean;
	readonly cell: (object: ApiObject, now: Instant) => string | number;
};

export const textColumn = (name: string, cell: ServerColumn['cell']): ServerColumn => ({
	name,
	type: 'string',
	isWide: false,
	cell,
});

/** The same column, only shown with `-o wide`. */
export const wide = (column: ServerColumn): ServerColumn => ({...column, isWide: true});

/** The value at a path, or a filler if it is absent. */
export const pathColumn = (name: string, path: string, filler = ''): ServerColumn =>
	textColumn(name, (object) => String(valueAt(object, path) || filler));

/** The number at a path; zero if it is absent. */
export const countColumn = (name: string, path: string): ServerColumn => ({
	name,
	type: 'integer',
	isWide: false,
	cell: (object) => Number(valueAt(object, path) ?? 0),
});

export const nameColumn: ServerColumn = pathColumn('Name', 'metadata.name');

export const ageColumn: ServerColumn = textColumn('Age', ({metadata}, now) =>
	formatAge(metadata.creationTimestamp, now),
);

/** The age of an RFC 3339 time, as kubectl writes it. */
export function formatAge(time: unknown, now: Instant): string {
	const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
	return Number.isNaN(at) ? '<unknown>' : humanDuration(now - at);
}

const hour = 60 * minute;

/**
 * Formats a duration as kubectl writes ages: `45s`, `4m30s`, `3h`, `2d5h`.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/duration/duration.go HumanDuration
 */
export function humanDuration(duration: Duration): string {
	const seconds = Math.trunc(duration / second);
	const minutes = Math.trunc(duration / minute);
	const hours = Math.trunc(duration / hour);
	const days = Math.trunc(hours / 24);
	if (seconds < -1) return '<invalid>';
	if (seconds < 120) return `${Math.max(0, seconds)}s`;
	if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
	if (minutes < 180) return `${minutes}m`;
	if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
	if (hours < 48) return `${hours}h`;
	if (days < 8) return withRest(days, 'd', hours % 24, 'h');
	if (days < 2 * 365) return `${days}d`;
	if (days < 8 * 365) return withRest(Math.trunc(days / 365), 'y', days % 365, 'd');
	return `${Math.trunc(days / 365)}y`;
}

const withRest = (count: number, unit: string, rest: number, restUnit: string) =>
	rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${restUnit}`;
