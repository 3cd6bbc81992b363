import {type Duration, second} from '../../core/time/instant.ts';
import type {ApiObject, ApiResource} from '../encode/apiObject.ts';
import {type ServerSelection, selectionOf} from './selection.ts';
import {badRequest, invalidOption} from './status.ts';

export type ListOptions = {
	readonly selection: ServerSelection;
	/** Undefined means all on one page. */
	readonly limit?: number;
	readonly continueToken?: string;
	/** Undefined means the newest. */
	readonly resourceVersion?: number;
	readonly resourceVersionMatch?: string;
	readonly isWatch: boolean;
	readonly allowsBookmarks: boolean;
	readonly timeout?: Duration;
};

/** Parses the query parameters of a list or watch. An empty namespace means all. */
export function parseListOptions(
	query: URLSearchParams,
	resource: ApiResource,
	namespace: string,
	name?: string,
): ListOptions {
	if (query.has('sendInitialEvents')) {
		// The answer of a server without this feature; clients then list first.
		throw invalidOption(
			'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
		);
	}
	const limit = wholeNumber(query, 'limit');
	const resourceVersion = wholeNumber(query, 'resourceVersion');
	const timeoutSeconds = wholeNumber(query, 'timeoutSeconds');
	const continueToken = query.get('continue');
	const resourceVersionMatch = query.get('resourceVersionMatch');
	return {
		selection: within(selectionOf(query, resource), namespace, name),
		...(limit && {limit}),
		...(continueToken && {continueToken}),
		...(resourceVersion && {resourceVersion}),
		...(resourceVersionMatch && {resourceVersionMatch}),
		isWatch: isTrue(query, 'watch'),
		allowsBookmarks: isTrue(query, 'allowWatchBookmarks'),
		...(timeoutSeconds && {timeout: timeoutSeconds * second}),
	};
}

function within({matches, ...selection}: ServerSelection, namespace: string, name?: string): ServerSelection {
	return {
		matches: (object: ApiObject) =>
			(namespace === '' || object.metadata.namespace === namespace) &&
			(name === undefined || object.metadata.name === name) &&
			matches(object),
		...selection,
	};
}

// Go's conversion of query parameters to bool: anything but these is true, even a bare `?watch`.
const isTrue = (query: URLSearchParams, name: string) =>
	query.has(name) && !['0', 'false'].includes((query.get(name) ?? '').toLowerCase());

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
	const text = query.get(name);
	if (text === null || text === '') return undefined;
	if (!/^\d{1,15}$/.test(text)) throw badRequest(`${name}: Invalid value: ${JSON.stringify(text)}`);
	return Number(text);
}
