import {firstIndex} from '../../core/collections/firstIndex.ts';
import type {ApiObject, ApiResource} from '../encode/apiObject.ts';
import type {KeyedObject} from '../world/collection.ts';
import type {ObjectStore} from '../world/objectStore.ts';
import type {ListOptions} from './listOptions.ts';
import {badRequest, expired, tooLargeResourceVersion} from './status.ts';

/**
 * Lists a resource. All pages of one list show the state at the version of the first page. If the store no longer has
 * that state, the answer is 410 and the client starts again.
 */
export function listPage(store: ObjectStore, resource: ApiResource, options: ListOptions) {
	const position = options.continueToken ? readToken(options.continueToken) : undefined;
	const resourceVersion = position?.resourceVersion ?? versionOf(options, store.resourceVersion);
	const entries = store.entriesAt(resource.name, resourceVersion, options.selection.node);
	if (!entries) {
		throw expired(
			position
				? 'The provided continue parameter is too old to display a consistent list result. ' +
						'You can start a new list without the continue parameter.'
				: `The resourceVersion for the provided list is too old: ${resourceVersion}`,
		);
	}
	const start = position
		? firstIndex(entries.length, (index) => (entries[index]?.key ?? '') > position.lastKey)
		: 0;
	return cutPage(entries, start, resourceVersion, options);
}

function cutPage(
	entries: readonly KeyedObject[],
	start: number,
	resourceVersion: number,
	{selection, limit = Number.POSITIVE_INFINITY}: ListOptions,
) {
	const items: ApiObject[] = [];
	let lastKey = '';
	for (let index = start; index < entries.length; index++) {
		const entry = entries[index];
		if (!entry || !selection.matches(entry.object)) continue;
		if (items.length < limit) {
			items.push(entry.object);
			lastKey = entry.key;
			continue;
		}
		// There is another page only if one more object matches than fits.
		const remaining = selection.hasSelector
			? {}
			: {remainingItemCount: entries.slice(index).filter(({object}) => selection.matches(object)).length};
		const token = writeToken({resourceVersion, lastKey});
		return {items, metadata: {resourceVersion: String(resourceVersion), continue: token, ...remaining}};
	}
	return {items, metadata: {resourceVersion: String(resourceVersion)}};
}

function versionOf({resourceVersion, resourceVersionMatch}: ListOptions, current: number): number {
	if (resourceVersion === undefined) return current;
	if (resourceVersion > current) throw tooLargeResourceVersion(resourceVersion, current);
	return resourceVersionMatch === 'Exact' ? resourceVersion : current;
}

type Position = {readonly resourceVersion: number; readonly lastKey: string};

const writeToken = ({resourceVersion, lastKey}: Position) =>
	Buffer.from(JSON.stringify({v: 'meta.k8s.io/v1', rv: resourceVersion, start: lastKey})).toString(
		'base64url',
	);

function readToken(token: string): Position {
	try {
		const {rv, start} = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>;
		if (typeof rv === 'number' && typeof start === 'string') return {resourceVersion: rv, lastKey: start};
	} catch {
		// Answered like a token of the wrong shape, below.
	}
	throw badRequest(`continue key is not valid: ${JSON.stringify(token)}`);
}
