import {Document, Scalar, visit} from 'yaml';
import {escapeInsideQuotes, isUnsafe} from '../../text/escape.ts';

/** YAML as in kubectl: the same data as JSON, with sorted keys. */
export function formatYaml(value: unknown): string {
	const document = new Document(value, {
		// Go's and Python's parsers read YAML 1.1, in which a bare `on` is true and a bare time is not a string.
		version: '1.1',
		sortMapEntries: true,
		aliasDuplicateObjects: false,
	});
	visit(document, {
		Scalar: (_, node) => {
			// Only double-quoted strings support escapes.
			if (typeof node.value === 'string' && isUnsafe(node.value)) node.type = Scalar.QUOTE_DOUBLE;
		},
	});
	return escapeInsideQuotes(document.toString({lineWidth: 0, indentSeq: false}));
}
