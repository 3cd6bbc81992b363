import {Document, Scalar, visit} from 'yaml';
import {escapeInsideQuotes, isUnsafe} from '../../text/escape.ts';

/** YAML in kubectl's manner: the same data as JSON, keys sorted. */
export function formatYaml(value: unknown): string {
	const document = new Document(value, {
		// Go's and Python's readers take YAML 1.1, where a bare `on` is true and a bare time no string.
		version: '1.1',
		sortMapEntries: true,
		aliasDuplicateObjects: false,
	});
	visit(document, {
		Scalar: (_, node) => {
			// Only double quotes know escapes.
			if (typeof node.value === 'string' && isUnsafe(node.value)) node.type = Scalar.QUOTE_DOUBLE;
		},
	});
	return escapeInsideQuotes(document.toString({lineWidth: 0, indentSeq: false}));
}
