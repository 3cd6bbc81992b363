import {usageError} from './usageError.ts';

/** The fields of one object that can be selected, by their paths. */
export type Fields = Readonly<Record<string, string>>;

/** Whether an object's fields satisfy a selector. */
export type FieldMatcher = (fields: Fields) => boolean;

// A backslash escapes what follows: names never need it, values may.
const term = /^((?:\\.|[^\\=!])*)(==|=|!=)((?:\\.|[^\\=])*)$/s;

/**
 * Reads a field selector: `spec.nodeName=a1,metadata.name!=web`. Only the fields named may be selected.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/fields/selector.go ParseSelector
 */
export function parseFieldSelector(selector: string, known: readonly string[]): FieldMatcher {
	const terms = (selector.match(/(?:\\.|[^\\,])+/gs) ?? []).map((text) => parseTerm(text, selector, known));
	return (fields) => terms.every((matches) => matches(fields));
}

function parseTerm(text: string, selector: string, known: readonly string[]): FieldMatcher {
	const [, path, operator, value] = term.exec(text) ?? [];
	if (path === undefined || value === undefined) {
		throw usageError(`invalid field selector: ${JSON.stringify(selector)}: can't understand '${text}'`);
	}
	if (!known.includes(path)) {
		const choice = known.length > 0 ? `; known here: ${known.join(', ')}` : '';
		throw usageError(`field label not supported: ${path}${choice}`);
	}
	const wanted = value.replace(/\\(.)/gs, '$1');
	return (fields) => (fields[path] === wanted) === (operator !== '!=');
}
