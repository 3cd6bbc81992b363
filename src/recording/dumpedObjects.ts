import {entriesOf, fieldsOf, textOf} from '../cluster/rawJson.ts';

/** An object of a dump, not yet read, and its kind. */
export type DumpedObject = {readonly kind: 'Node' | 'Pod' | 'Lease' | 'Event'; readonly object: unknown};

type Resource = {kind: string; apiVersion: string; items: unknown};

/** The nodes, pods, leases and events of a document: a List, a list of one kind, or an object alone. Others are passed over. */
export function objectsOf(document: unknown): readonly DumpedObject[] {
	const {kind, apiVersion, items} = fieldsOf<Resource>(document);
	const listKind = textOf(kind);
	if (!listKind.endsWith('List')) return objectOf(document, listKind, textOf(apiVersion));
	// In a NodeList as the API server sends it, the items do not say what they are.
	const itemKind = listKind.slice(0, -'List'.length);
	return entriesOf(items).flatMap((item) => {
		const own = fieldsOf<Resource>(item);
		return objectOf(item, textOf(own.kind) || itemKind, textOf(own.apiVersion) || textOf(apiVersion));
	});
}

function objectOf(object: unknown, kind: string, apiVersion: string): readonly DumpedObject[] {
	// Other API groups have kinds of the same names.
	const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
	if ((kind === 'Node' || kind === 'Pod') && group === '') return [{kind, object}];
	if (kind === 'Event' && (group === '' || group === 'events.k8s.io')) return [{kind, object}];
	return kind === 'Lease' && (group === 'coordination.k8s.io' || apiVersion === '') ? [{kind, object}] : [];
}
