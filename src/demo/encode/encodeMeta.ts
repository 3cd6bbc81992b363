import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import type {ManagedFields} from './apiObject.ts';
import {encodeTime} from './encodeTime.ts';

/** What a managedFields entry says besides who wrote and when. */
type WrittenFields = Pick<ManagedFields, 'apiVersion' | 'fieldsV1' | 'subresource'>;

/** One managedFields entry. */
export const encodeFieldWrite = (
	{manager, operation, time}: FieldWrite,
	written: WrittenFields,
): ManagedFields => ({
	manager,
	operation,
	time: encodeTime(time),
	fieldsType: 'FieldsV1',
	...written,
});

/** A small whole number that is always the same for a text, to make up addresses and hashes from names. */
export function hashOf(text: string): number {
	// FNV-1a: short, and good enough to tell names apart.
	let hash = 0x811c9dc5;
	for (const character of text) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	}
	return hash;
}
