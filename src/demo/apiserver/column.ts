import type {Instant} from '../../core/time/instant.ts';
import {type ApiObject, valueAt} from '../encode/apiObject.ts';
import {humanDuration} from './humanDuration.ts';

/** One column of a server-side table. */
export type ServerColumn = {
	readonly name: string;
	readonly type: 'string' | 'integer';
	/** Shown by `-o wide` only. */
	readonly isWide: boolean;
	readonly cell: (object: ApiObject, now: Instant) => string | number;
};

/** A column of text. */
export const textColumn = (name: string, cell: ServerColumn['cell']): ServerColumn => ({
	name,
	type: 'string',
	isWide: false,
	cell,
});

/** The same column, for `-o wide` only. */
export const wide = (column: ServerColumn): ServerColumn => ({...column, isWide: true});

/** The value at a path, or a filler where it is absent. */
export const pathColumn = (name: string, path: string, filler = ''): ServerColumn =>
	textColumn(name, (object) => String(valueAt(object, path) || filler));

/** The number at a path; zero where it is absent. */
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

/** How long ago an RFC 3339 time was, as kubectl writes it. */
export function formatAge(time: unknown, now: Instant): string {
	const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
	return Number.isNaN(at) ? '<unknown>' : humanDuration(now - at);
}
