import type {V1ListMeta, V1NodeList} from '@kubernetes/client-node';
import {entriesOf, fieldsOf, textOf} from './rawJson.ts';
import {hasStatus, RequestError} from './requestError.ts';
import type {Resource} from './resource.ts';
import type {Transport} from './transport.ts';

/** Objects a page: what kubectl asks for. A page of pods is some two megabytes, read without a stall. */
const pageSize = '500';

/** All of a collection, and the version from which a watch goes on. */
export type Listed<T> = {readonly objects: readonly T[]; readonly resourceVersion: string};

/**
 * Lists a collection page by page. Each page is reduced to the model at once, so that a large cluster fits in memory.
 *
 * @throws RequestError where it cannot be read.
 */
export async function list<T>(
	transport: Transport,
	resource: Resource<T>,
	signal?: AbortSignal,
): Promise<Listed<T>> {
	try {
		return await listPages(transport, resource, signal);
	} catch (error) {
		// The version that the pages are of was forgotten while we read them. Once more, from the first page.
		if (!hasStatus(error, 410)) throw error;
		return listPages(transport, resource, signal);
	}
}

async function listPages<T>(
	transport: Transport,
	resource: Resource<T>,
	signal?: AbortSignal,
): Promise<Listed<T>> {
	const objects: T[] = [];
	let next = '';
	for (;;) {
		const query = {...resource.query, limit: pageSize, ...(next !== '' && {continue: next})};
		const page = fieldsOf<V1NodeList>(await transport.json(resource.path, query, signal));
		if (!textOf(page.kind).endsWith('List')) throw notAList(resource.path);
		for (const item of entriesOf(page.items)) {
			const object = resource.decode(item);
			if (object !== undefined) objects.push(object);
		}
		const metadata = fieldsOf<V1ListMeta & {continue: string}>(page.metadata);
		next = textOf(metadata.continue);
		if (next === '') return {objects, resourceVersion: textOf(metadata.resourceVersion)};
	}
}

function notAList(path: string): RequestError {
	return new RequestError(
		`the server does not answer like a Kubernetes API server: no list at ${path}`,
		'check the address of the server: kubectl version',
	);
}
