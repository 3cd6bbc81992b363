/** One entry of metadata.managedFields. */
export type ManagedFields = {
	readonly manager: string;
	readonly operation: string;
	readonly apiVersion: string;
	readonly time: string;
	readonly fieldsType: 'FieldsV1';
	readonly fieldsV1: Readonly<Record<string, unknown>>;
	readonly subresource?: string;
};

/** One entry of metadata.ownerReferences. */
export type OwnerReference = {
	readonly apiVersion: string;
	readonly kind: string;
	readonly name: string;
	readonly uid: string;
	readonly controller?: boolean;
	readonly blockOwnerDeletion?: boolean;
};

/** An object's metadata in JSON. */
export type ObjectMeta = {
	readonly name: string;
	readonly namespace?: string;
	readonly uid?: string;
	readonly resourceVersion?: string;
	readonly creationTimestamp?: string;
	readonly deletionTimestamp?: string;
	readonly deletionGracePeriodSeconds?: number;
	readonly labels?: Readonly<Record<string, string>>;
	readonly annotations?: Readonly<Record<string, string>>;
	readonly ownerReferences?: readonly OwnerReference[];
	readonly managedFields?: readonly ManagedFields[];
};

/** A raw API object: the JSON that clients get. The server reads only its metadata and selectable fields. */
export type ApiObject = {
	readonly apiVersion: string;
	readonly kind: string;
	readonly metadata: ObjectMeta;
	readonly [field: string]: unknown;
};

/** The value at a dotted path (`spec.nodeName`); undefined if a part of the path is missing. */
export function valueAt(object: ApiObject, path: string): unknown {
	let value: unknown = object;
	for (const part of path.split('.')) {
		if (typeof value !== 'object' || value === null) return undefined;
		value = (value as Readonly<Record<string, unknown>>)[part];
	}
	return value;
}
