import type {FlagTable} from '../flagSpec.ts';

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
export const ofAllNamespaces = 'It is about all namespaces, as an outage is; -n NAMESPACE narrows it to one.';
/** Whose pods a list shows, for its help. */
export const ofContextNamespace =
	'It shows the namespace of the context, as kubectl get does; -n NAMESPACE another one, -A all of them.';

/** Which objects are listed. */
export const selectionFlags = {
	...scopeFlags,
	verdict: {
		type: 'string',
		isMultiple: true,
		completes: ['Scheduled', 'Expected', 'Overdue', 'Held', 'Unsure', 'Stays', 'Terminating', 'Safe'],
		help: 'Show only those with one of these verdicts, separated by commas; of zones, with one of these states. With it, DaemonSet pods that stay are not folded into a count.',
	},
	all: {
		type: 'boolean',
		help: 'Show every pod, those on healthy nodes and DaemonSet pods that stay too; nodes and zones are always all shown.',
	},
} as const satisfies FlagTable;
