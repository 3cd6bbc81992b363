import {type ApiObject, valueAt} from '../encode/apiObject.ts';
import type {Resource} from './resources.ts';
import {badRequest} from './status.ts';

/** Whether an object satisfies a selector. */
export type ObjectMatcher = (object: ApiObject) => boolean;

// A backslash escapes what follows: names of fields never need it, values may.
const term = /^((?:\\.|[^\\=!])*)(==|=|!=)((?:\\.|[^\\=])*)$/s;

/**
 * Reads a field selector: `spec.nodeName=a1,status.phase!=Failed`. Only what the resource declares can be selected.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/fields/selector.go ParseSelector
 */
export function parseFieldSelector(selector: string, resource: Resource): ObjectMatcher {
	const terms = (selector.match(/(?:\\.|[^\\,])+/gs) ?? []).filter((text) => text.trim() !== '');
	const matchers = terms.map((text) => parseTerm(text.trim(), selector, resource));
	return (object) => matchers.every((matches) => matches(object));
}

function parseTerm(text: string, selector: string, resource: Resource): ObjectMatcher {
	const [, path, operator, escaped] = term.exec(text) ?? [];
	if (path === undefined || escaped === undefined) {
		throw badRequest(`invalid field selector: ${JSON.stringify(selector)}: can't understand '${text}'`);
	}
	const whenAbsent = defaultOf(path, resource);
	if (whenAbsent === undefined) {
		throw badRequest(`field label not supported: ${path}`);
	}
	const wanted = escaped.replace(/\\(.)/gs, '$1');
	// An event's source is an object; what is selected is who it names.
	const field = path === 'source' ? 'source.component' : path;
	return (object) => (String(valueAt(object, field) ?? whenAbsent) === wanted) === (operator !== '!=');
}

function defaultOf(path: string, resource: Resource): string | undefined {
	if (path === 'metadata.name' || path === 'metadata.namespace') return '';
	return Object.hasOwn(resource.selectableFields, path) ? resource.selectableFields[path] : undefined;
}
