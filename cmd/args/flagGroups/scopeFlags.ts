import type {FlagTable} from '../flagSpec.ts';

/** Choose pods. Accepted by every command, as by kubectl's. */
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

/** The default scope of answers about an outage, for the help. */
export const ofAllNamespaces = 'It covers all namespaces, as an outage does; -n NAMESPACE limits it to one.';
/** The default scope of lists, for the help. */
export const ofContextNamespace =
	'It shows the namespace of the context, as kubectl get does; -n NAMESPACE shows another, -A all of them.';

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
