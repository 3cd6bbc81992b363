import type {FlagTable} from '../flagSpec.ts';

/** The output format. A command's formats are in its `outputs`. */
export const outputFlags = {
	output: {type: 'string', shortFlag: 'o', completes: 'outputs', help: 'Output format.'},
	template: {
		type: 'string',
		help: 'Template string or path to template file to use when -o=go-template, -o=go-template-file, -o=jsonpath or the like.',
	},
	'allow-missing-template-keys': {
		type: 'boolean',
		isOnByDefault: true,
		help: 'If false, a field that is missing in a template is an error. Only applies to golang and jsonpath output formats.',
	},
} as const satisfies FlagTable;

export const tableFlags = {
	'no-headers': {type: 'boolean', help: "Don't print headers, with the table or custom columns."},
} as const satisfies FlagTable;

/** The layout of tables of Kubernetes objects. */
export const objectTableFlags = {
	'show-labels': {type: 'boolean', help: 'Show all labels as the last column.'},
	'label-columns': {
		type: 'string',
		shortFlag: 'L',
		isMultiple: true,
		help: 'Labels to show as columns, separated by commas; can be repeated. Names are case-sensitive.',
	},
	'show-kind': {type: 'boolean', help: 'Show the kind of each object before its name.'},
	'sort-by': {
		type: 'string',
		help: "Sort by this field, a JSONPath expression such as '.metadata.name' or '{.eviction.earliest}'.",
	},
	'ignore-not-found': {type: 'boolean', help: 'If an object asked for by name does not exist, exit with 0.'},
} as const satisfies FlagTable;
