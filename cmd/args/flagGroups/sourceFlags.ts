import type {FlagTable} from '../flagSpec.ts';

/** The clusters to contact; no other is contacted. */
export const contextFlags = {
	contexts: {
		type: 'string',
		isMultiple: true,
		isList: true,
		completes: 'contexts',
		help: 'Contexts of the kubeconfig to read, separated by commas; can be repeated. No other is contacted.',
	},
	'all-contexts': {type: 'boolean', help: 'Read all contexts of the kubeconfig.'},
} as const satisfies FlagTable;

/** Files to read instead of a cluster. */
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

export const kubeletFlags = {
	'all-kubelets': {
		type: 'boolean',
		help: 'Query the kubelets of all ready nodes, so trends begin before a node runs short. Default: only nodes with a pressure condition.',
	},
} as const satisfies FlagTable;
