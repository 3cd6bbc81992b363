import {parseFieldSelector} from '../../core/selector/fieldSelector.ts';
import {parseLabelSelector} from '../../core/selector/labelSelector.ts';
import {SelectorError} from '../../core/selector/selectorError.ts';
import {second} from '../../core/time/instant.ts';
import {type ApiObject, type ApiResource, valueAt} from '../encode/apiObject.ts';
import {ApiError, badRequest} from './status.ts';

export type ListOptions = ReturnType<typeof parseListOptions>;

/** How long a watch lasts if the client sets no timeout, in seconds, as with --min-request-timeout. */
const defaultTimeout = 1800;

/** Parses the query parameters of a list or watch. An empty namespace means all. */
export function parseListOptions(
	query: URLSearchParams,
	resource: ApiResource,
	namespace: string,
	name?: string,
) {
	if (query.has('sendInitialEvents')) {
		// The answer of a server without this feature; clients then list first.
		throw new ApiError(
			422,
			'Invalid',
			'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
			{group: 'meta.k8s.io', kind: 'ListOptions'},
		);
	}
	return {
		selection: selectionOf(query, resource, namespace, name),
		/** Undefined means all on one page. */
		limit: wholeNumber(query, 'limit'),
		continueToken: query.get('continue'),
		/** Undefined means the newest. */
		resourceVersion: wholeNumber(query, 'resourceVersion'),
		resourceVersionMatch: query.get('resourceVersionMatch'),
		isWatch: isTrue(query, 'watch'),
		allowsBookmarks: isTrue(query, 'allowWatchBookmarks'),
		timeout: (wholeNumber(query, 'timeoutSeconds') ?? defaultTimeout) * second,
	};
}

/** The part of a field selector that names a pod's node. */
const nodeSelector = /(?:^|,)spec\.nodeName==?([^,=!\\]+)(?:,|$)/;

/** Parses the selectors of a query. @throws ApiError if one is invalid */
export function selectionOf(query: URLSearchParams, resource: ApiResource, namespace = '', name?: string) {
	const labelSelector = query.get('labelSelector') ?? '';
	const fieldSelector = query.get('fieldSelector') ?? '';
	try {
		const matchesLabels = parseLabelSelector(labelSelector);
		const isSelectable = (path: string) => defaultOf(path, resource) !== undefined;
		const matchesFields = parseFieldSelector(fieldSelector, isSelectable);
		return {
			matches: (object: ApiObject) =>
				(namespace === '' || object.metadata.namespace === namespace) &&
				(name === undefined || object.metadata.name === name) &&
				matchesLabels(object.metadata.labels ?? {}) &&
				matchesFields((path) => {
					// An event's source is an object; the selector matches its component.
					const value = valueAt(object, path === 'source' ? 'source.component' : path);
					return String(value ?? defaultOf(path, resource));
				}),
			/** Whether a selector was given; the count of remaining items is then omitted, because it would be wrong. */
			hasSelector: labelSelector !== '' || fieldSelector !== '',
			/** The node to which all matching objects are bound; undefined if the selector names none. */
			node: nodeSelector.exec(fieldSelector)?.[1],
		};
	} catch (error) {
		throw error instanceof SelectorError ? badRequest(error.message) : error;
	}
}

function defaultOf(path: string, {selectableFields}: ApiResource): string | undefined {
	if (path === 'metadata.name' || path === 'metadata.namespace') return '';
	return Object.hasOwn(selectableFields, path) ? selectableFields[path] : undefined;
}

// Go's conversion of query parameters to bool: anything but these is true, even a bare `?watch`.
const isTrue = (query: URLSearchParams, name: string) =>
	query.has(name) && !['0', 'false'].includes((query.get(name) ?? '').toLowerCase());

/** A number of a query; zero counts as absent. */
function wholeNumber(query: URLSearchParams, name: string): number | undefined {
	const text = query.get(name) ?? '';
	if (!/^\d{0,15}$/.test(text)) throw badRequest(`${name}: Invalid value: ${JSON.stringify(text)}`);
	return Number(text) || undefined;
}
