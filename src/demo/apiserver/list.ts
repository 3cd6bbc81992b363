import type {ApiResource} from '../encode/apiObject.ts';
import type {ObjectStore} from '../world/objectStore.ts';
import type {ListOptions} from './listOptions.ts';
import {ApiError, badRequest, expired} from './status.ts';

/**
 * Lists a resource. All pages of one list show the state at the version of the first page. If the store no longer has
 * that state, the answer is 410 and the client starts again.
 */
export function listPage(store: ObjectStore, {name}: ApiResource, options: ListOptions) {
	const {selection, limit, continueToken} = options;
	const position = continueToken ? readToken(continueToken) : undefined;
	const resourceVersion = position?.resourceVersion ?? versionOf(options, store.resourceVersion);
	const entries = store.of(name).entriesAt(resourceVersion, selection.node);
	if (!entries) {
		throw expired(
			position
				? 'The provided continue parameter is too old to display a consistent list result. ' +
						'You can start a new list without the continue parameter.'
				: `The resourceVersion for the provided list is too old: ${resourceVersion}`,
		);
	}
	const rest = entries.filter(
		({key, object}) => key > (position?.lastKey ?? '') && selection.matches(object),
	);
	const page = rest.slice(0, limit);
	const token = {v: 'meta.k8s.io/v1', rv: resourceVersion, start: page.at(-1)?.key};
	return {
		items: page.map(({object}) => object),
		metadata: {
			resourceVersion: String(resourceVersion),
			// There is another page only if one more object matches than fits.
			...(rest.length > page.length && {
				continue: Buffer.from(JSON.stringify(token)).toString('base64url'),
				...(!selection.hasSelector && {remainingItemCount: rest.length - page.length}),
			}),
		},
	};
}

function versionOf({resourceVersion, resourceVersionMatch}: ListOptions, current: number): number {
	if (resourceVersion === undefined) return current;
	const message = `Too large resource version: ${resourceVersion}, current: ${current}`;
	// For example a version of an earlier demo.
	if (resourceVersion > current)
		throw new ApiError(504, 'Timeout', message, {
			causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}],
			retryAfterSeconds: 1,
		});
	return resourceVersionMatch === 'Exact' ? resourceVersion : current;
}

function readToken(token: string) {
	try {
		const {rv, start} = JSON.parse(Buffer.from(token, 'base64url').toString()) as Record<string, unknown>;
		if (typeof rv === 'number' && typeof start === 'string') return {resourceVersion: rv, lastKey: start};
	} catch {
		// Answered like a token of the wrong shape, below.
	}
	throw badRequest(`continue key is not valid: ${JSON.stringify(token)}`);
}
