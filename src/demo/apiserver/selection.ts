import {parseFieldSelector} from '../../core/selector/fieldSelector.ts';
import {parseLabelSelector} from '../../core/selector/labelSelector.ts';
import {SelectorError} from '../../core/selector/selectorError.ts';
import {type ApiObject, type ApiResource, valueAt} from '../encode/apiObject.ts';
import {badRequest} from './status.ts';

export type ServerSelection = {
	readonly matches: (object: ApiObject) => boolean;
	/** Whether a selector was given; the count of remaining items is then omitted, because it would be wrong. */
	readonly hasSelector: boolean;
	/** The node to which all matching objects are bound; undefined if the selector names none. */
	readonly node: string | undefined;
};

/** The part of a field selector that names a pod's node. */
const nodeSelector = /(?:^|,)spec\.nodeName==?([^,=!\\]+)(?:,|$)/;

/** Parses the selectors of a query. @throws ApiError if one is invalid */
export function selectionOf(query: URLSearchParams, resource: ApiResource): ServerSelection {
	const labelSelector = query.get('labelSelector') ?? '';
	const fieldSelector = query.get('fieldSelector') ?? '';
	try {
		const matchesLabels = parseLabelSelector(labelSelector);
		const isSelectable = (path: string) => defaultOf(path, resource) !== undefined;
		const matchesFields = parseFieldSelector(fieldSelector, isSelectable);
		return {
			matches: (object) =>
				matchesLabels(object.metadata.labels ?? {}) &&
				matchesFields((path) => String(valueAt(object, fieldOf(path)) ?? defaultOf(path, resource))),
			hasSelector: labelSelector !== '' || fieldSelector !== '',
			node: nodeSelector.exec(fieldSelector)?.[1],
		};
	} catch (error) {
		throw error instanceof SelectorError ? badRequest(error.message) : error;
	}
}

// An event's source is an object; the selector matches its component.
const fieldOf = (path: string): string => (path === 'source' ? 'source.component' : path);

function defaultOf(path: string, resource: ApiResource): string | undefined {
	if (path === 'metadata.name' || path === 'metadata.namespace') return '';
	return Object.hasOwn(resource.selectableFields, path) ? resource.selectableFields[path] : undefined;
}
