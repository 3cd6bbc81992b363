import {SelectorError} from './selectorError.ts';

/** Whether an object matches a selector; the argument returns the values of the object's fields. */
export type FieldMatcher = (fieldOf: (path: string) => string) => boolean;

// A backslash escapes the next character: field names never need it, values may.
const pattern = /^((?:\\.|[^\\=!])*)(==|=|!=)((?:\\.|[^\\=])*)$/s;

/**
 * Parses a field selector: `spec.nodeName=a1,metadata.name!=web`.
 *
 * @param isSelectable whether objects can be selected by a field
 * @throws SelectorError with the API server's message if it is invalid
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/fields/selector.go ParseSelector
 */
export function parseFieldSelector(selector: string, isSelectable: (path: string) => boolean): FieldMatcher {
	const terms = (selector.match(/(?:\\.|[^\\,])+/gs) ?? []).map((text) => parseTerm(text, selector));
	const unknown = terms.find(({path}) => !isSelectable(path));
	if (unknown) throw new SelectorError(`field label not supported: ${unknown.path}`, unknown.path);
	return (fieldOf) => terms.every(({path, value, isEqual}) => (fieldOf(path) === value) === isEqual);
}

function parseTerm(text: string, selector: string) {
	const [, path, operator, value] = pattern.exec(text) ?? [];
	if (path === undefined || value === undefined) {
		throw new SelectorError(
			`invalid field selector: ${JSON.stringify(selector)}: can't understand '${text}'`,
		);
	}
	return {path, value: value.replace(/\\(.)/gs, '$1'), isEqual: operator !== '!='};
}
