import type {V1ManagedFieldsEntry} from '@kubernetes/client-node';
import type {FieldWrite} from '../../core/model/fieldWrite.ts';
import {decodeTime} from './decodeTime.ts';
import {eachOf, type Fields, fieldsOf, textOf} from './rawJson.ts';

/** Who wrote an object, of all its managedFields or of those wanted. An entry without a time tells nothing. */
export function decodeFieldWrites(
	managedFields: unknown,
	isWanted: (entry: Fields<V1ManagedFieldsEntry>) => boolean = () => true,
): readonly FieldWrite[] {
	return eachOf(managedFields, (value) => {
		const entry = fieldsOf<V1ManagedFieldsEntry>(value);
		const time = decodeTime(entry.time);
		if (time === undefined || !isWanted(entry)) return undefined;
		return {manager: textOf(entry.manager), operation: textOf(entry.operation), time};
	});
}

/** Whether an entry owns the node's taints: all of them, as the controllers write them, or some. */
export function ownsTaints(entry: Fields<V1ManagedFieldsEntry>): boolean {
	const fields = fieldsOf<{'f:spec': unknown}>(entry.fieldsV1);
	return fieldsOf<{'f:taints': unknown}>(fields['f:spec'])['f:taints'] !== undefined;
}
