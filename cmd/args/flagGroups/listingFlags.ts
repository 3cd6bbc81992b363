import type {FlagTable} from '../flagSpec.ts';
import {controllerFlags} from './controllerFlags.ts';

/** Whose pods are meant. Every command takes them, as kubectl's do. */
export const scopeFlags = {
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
} as const satisfies FlagTable;

/** Whose pods an answer about an outage is about, for its help. */
export const ofAllNamespaces = 'It covers all namespaces, as an outage does; -n NAMESPACE limits it to one.';
/** Whose pods a list shows, for its help. */
export const ofContextNamespace =
	'It shows the namespace of the context, as kubectl get does; -n NAMESPACE shows another, -A all of them.';

/** Which objects are listed. */
export const selectionFlags = {
	...scopeFlags,
	verdict: {
		type: 'string',
		isMultiple: true,
		completes: ['Scheduled', 'Expected', 'Overdue', 'Held', 'Unsure', 'Stays', 'Terminating', 'Safe'],
		help: 'Show only what has one of these verdicts (zones: states), separated by commas. DaemonSet pods that stay are then listed, not counted.',
	},
	all: {
		type: 'boolean',
		help: 'Show every pod: also those on healthy nodes, and DaemonSet pods that stay. Nodes and zones are always all shown.',
	},
} as const satisfies FlagTable;

/** The form of what is printed. Which forms a command has stands in its `outputs`, and so does the help. */
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

/** How tables are printed. */
export const tableFlags = {
	'no-headers': {type: 'boolean', help: "Don't print headers, with the table or custom columns."},
} as const satisfies FlagTable;

/** How tables of Kubernetes' own objects are printed. */
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

/** What is read in place of a cluster. */
export const fileFlags = {
	filename: {
		type: 'string',
		shortFlag: 'f',
		isMultiple: true,
		completes: 'files',
		help: "Read a file instead of a cluster: a dump (kubectl get nodes,pods,leases,events -A -o json), a folder of them, or a recording; '-' is stdin. Can be repeated.",
	},
	at: {
		type: 'string',
		help: 'With --filename: forecast from this time (RFC 3339, or a date and time in --time-zone such as 2026-01-31T15:07). Default: the newest heartbeat or transition in a dump, or the end of a recording. With replay: where it begins.',
	},
} as const satisfies FlagTable;

/** Whose kubelets are asked. */
export const kubeletFlags = {
	'all-kubelets': {
		type: 'boolean',
		help: 'Query the kubelets of all ready nodes, so trends begin before a node runs short. Default: only nodes with a pressure condition.',
	},
} as const satisfies FlagTable;

/** How a list goes on, or ends. */
export const watchFlags = {
	watch: {
		type: 'boolean',
		shortFlag: 'w',
		help: 'After printing, watch the cluster and print what changes.',
	},
	'watch-only': {
		type: 'boolean',
		help: 'Watch the cluster and print what changes, without printing what is there first.',
	},
	'output-watch-events': {
		type: 'boolean',
		help: 'With --watch, print before each object whether it was ADDED, MODIFIED or DELETED.',
	},
	'exit-code': {
		type: 'boolean',
		help: 'Exit with 2 if an eviction is predicted, and with 1 if too little can be seen to tell.',
	},
	debug: {
		type: 'boolean',
		help: 'Print to stderr how many requests and bytes this took: at the end, and every ten seconds with --watch.',
	},
} as const satisfies FlagTable;

/** What `pods`, `nodes`, `zones` and `events` take, as `kubectl get` takes it for every kind. */
export const listingFlags = {
	...selectionFlags,
	...outputFlags,
	...tableFlags,
	...objectTableFlags,
	...watchFlags,
	...fileFlags,
	...controllerFlags,
} as const;
