import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {ManagedFields} from './apiObject.ts';

/** An entry of managedFields: who wrote and when, and its other fields. */
export const encodeFieldWrite = (
	{manager, operation, time}: FieldWrite,
	written: Pick<ManagedFields, 'apiVersion' | 'fieldsV1' | 'subresource'>,
): ManagedFields => ({
	manager,
	operation,
	time: encodeTime(time),
	fieldsType: 'FieldsV1',
	...written,
});

/** A stable small whole number for a text, to make up addresses and hashes from names. */
export function hashOf(text: string): number {
	// FNV-1a: short, and with few collisions.
	let hash = 0x811c9dc5;
	for (const character of text) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	}
	return hash;
}

/** An instant as meta/v1 Time, truncated to whole seconds, as the API server writes all but leases. */
export const encodeTime = (instant: Instant): string =>
	new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z');

/** An instant as meta/v1 MicroTime, for leases. */
export function encodeMicroTime(instant: Instant): string {
	const microseconds = Math.floor((instant - Math.floor(instant)) * 1000);
	return `${new Date(Math.floor(instant)).toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
}
