import type {FlagTable} from '../flagSpec.ts';

/** Which objects are shown. */
export const selectionFlags = {
	'all-namespaces': {
		type: 'boolean',
		shortFlag: 'A',
		help: 'Show the pods of all namespaces. The namespace of the context is ignored, even if given with --namespace.',
	},
	selector: {
		type: 'string',
		shortFlag: 'l',
		help: "Label query to filter on, supports '=', '==', '!=', 'in', 'notin' and existence.",
	},
	'field-selector': {
		type: 'string',
		help: "Field query to filter on, supports '=', '==' and '!='. Pods have metadata.name, metadata.namespace and spec.nodeName.",
	},
	all: {
		type: 'boolean',
		help: 'Show every pod, those on well nodes too; nodes and zones are always all shown.',
	},
} as const satisfies FlagTable;
