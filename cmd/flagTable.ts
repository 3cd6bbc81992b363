import type {CommandName} from './commandTable.ts';
import {whatIfFlags} from './whatIfFlags.ts';

/** What one flag takes, and what `--help` says of it. */
export type FlagSpec = {
	readonly type: 'string' | 'boolean';
	readonly shortFlag?: string;
	/** May be given more than once. */
	readonly isMultiple?: boolean;
	/** A following argument is taken as the value only where it looks like this; else the flag stands alone. */
	readonly optionalValue?: RegExp;
	/** The default as kubectl's help shows it. */
	readonly shown?: string;
	/** The commands in whose help it stands; all of them where it is absent. */
	readonly of?: readonly CommandName[];
	readonly help: string;
};

/** The table of flags by their names on the command line. */
export type FlagTable = Readonly<Record<string, FlagSpec>>;

const listings = ['pods', 'nodes', 'zones'] as const;
const readings = [...listings, 'explain', 'settings', 'what-if', 'rescue'] as const;

/** What is shown, and how. */
export const outputFlags = {
	'all-namespaces': {
		type: 'boolean',
		shortFlag: 'A',
		of: ['pods'],
		help: 'Show the pods of all namespaces. The namespace of the context is ignored, even if given with --namespace.',
	},
	selector: {
		type: 'string',
		shortFlag: 'l',
		of: ['pods', 'nodes'],
		help: "Label query to filter on, supports '=', '==', '!=', 'in', 'notin' and existence.",
	},
	'field-selector': {
		type: 'string',
		of: listings,
		help: "Field query to filter on, supports '=', '==' and '!='. Pods have metadata.name, metadata.namespace and spec.nodeName.",
	},
	output: {
		type: 'string',
		shortFlag: 'o',
		of: [...readings, 'version'],
		help: 'Output format. One of: (json, yaml, name, wide).',
	},
	watch: {
		type: 'boolean',
		shortFlag: 'w',
		of: listings,
		help: 'After printing, watch the cluster and print what changes.',
	},
	all: {type: 'boolean', of: ['pods'], help: 'Show every pod, those on well nodes too.'},
	'no-headers': {type: 'boolean', of: [...listings, 'settings'], help: "Don't print headers."},
	filename: {
		type: 'string',
		shortFlag: 'f',
		of: readings,
		help: "Read a dump (kubectl get nodes,pods,leases,events -A -o json) instead of a cluster; '-' is stdin.",
	},
	at: {
		type: 'string',
		of: readings,
		help: 'Instant of the forecast (RFC 3339) with --filename. Without it, the newest heartbeat or transition in the file.',
	},
	debug: {
		type: 'boolean',
		of: listings,
		help: 'Print to stderr what the API server was asked and sent, at the end, and every ten seconds with --watch.',
	},
	'exit-code': {
		type: 'boolean',
		of: listings,
		help: 'Exit with 2 when an eviction is to come, and with 1 when too little can be seen to tell.',
	},
	serve: {
		type: 'string',
		optionalValue: /^\d+$/,
		of: ['demo'],
		help: 'With demo: only serve the API of the simulated cluster, on this port of loopback.',
	},
	speed: {type: 'string', of: ['demo'], help: 'With demo: how many seconds pass in a real one.'},
	list: {type: 'boolean', of: ['demo'], help: 'With demo: list the scenarios.'},
	check: {
		type: 'boolean',
		of: ['settings'],
		help: 'With settings: show how long each step to a deletion takes, and what is risky.',
	},
	kubelet: {
		type: 'string',
		of: ['settings'],
		help: 'With settings: ask the kubelet of this node for its configuration (needs the right to get nodes/proxy).',
	},
	want: {
		type: 'string',
		of: ['settings'],
		help: 'With settings: say what to set so that pods are deleted so long after a node fell silent (60s, 2m).',
	},
	'no-alt-screen': {
		type: 'boolean',
		of: ['demo'],
		help: 'Draw the dashboard below the prompt, and leave its last picture there.',
	},
	theme: {type: 'string', of: ['demo'], help: 'Colours of the dashboard: dark, light or high-contrast.'},
	...whatIfFlags,
	help: {type: 'boolean', shortFlag: 'h', help: 'Show this help.'},
	version: {type: 'boolean', of: [], help: 'Show the version of evictwatch.'},
} as const satisfies FlagTable;

/** Where the cluster is, and who asks: kubectl's own flags, since kubectl hands none of them to a plugin. */
export const connectionFlags = {
	as: {type: 'string', help: 'Username to impersonate for the operation.'},
	'as-group': {type: 'string', isMultiple: true, help: 'Group to impersonate; can be repeated.'},
	'as-uid': {type: 'string', help: 'UID to impersonate for the operation.'},
	'as-user-extra': {type: 'string', isMultiple: true, help: 'KEY=VALUE to impersonate; can be repeated.'},
	'cache-dir': {type: 'string', help: "Taken for kubectl's sake: evictwatch keeps no cache."},
	'certificate-authority': {type: 'string', help: 'Path to a cert file for the certificate authority.'},
	'client-certificate': {type: 'string', help: 'Path to a client certificate file for TLS.'},
	'client-key': {type: 'string', help: 'Path to a client key file for TLS.'},
	cluster: {type: 'string', help: 'The name of the kubeconfig cluster to use.'},
	context: {type: 'string', help: 'The name of the kubeconfig context to use.'},
	'disable-compression': {type: 'boolean', help: 'Ask the server not to compress its responses.'},
	'insecure-skip-tls-verify': {
		type: 'boolean',
		help: "Do not check the server's certificate. This makes your connections insecure.",
	},
	kubeconfig: {type: 'string', help: 'Path to the kubeconfig file to use.'},
	namespace: {type: 'string', shortFlag: 'n', help: 'The namespace scope for this request.'},
	'request-timeout': {
		type: 'string',
		shown: '0',
		help: 'How long to wait for a single request, with a unit (1s, 2m, 3h). Zero means no limit.',
	},
	server: {type: 'string', shortFlag: 's', help: 'The address and port of the Kubernetes API server.'},
	'tls-server-name': {type: 'string', help: "Name to check the server's certificate against."},
	token: {type: 'string', help: 'Bearer token for authentication to the API server.'},
	user: {type: 'string', help: 'The name of the kubeconfig user to use.'},
} as const satisfies FlagTable;

/** What decides the controllers' behaviour, under kube-controller-manager's own names. */
export const controllerFlags = {
	'kubernetes-version': {type: 'string', help: 'Follow the rules and defaults of this version.'},
	'node-monitor-period': {type: 'string', shown: '5s', help: 'How often the controller looks at the nodes.'},
	'node-startup-grace-period': {
		type: 'string',
		shown: '1m0s',
		help: 'How long a starting node may be silent before it is unhealthy.',
	},
	'node-monitor-grace-period': {
		type: 'string',
		shown: '50s',
		help: 'How long a running node may be silent before it is unhealthy (40s before 1.32).',
	},
	'node-eviction-rate': {type: 'string', shown: '0.1', help: 'Nodes tainted per second in a healthy zone.'},
	'secondary-node-eviction-rate': {
		type: 'string',
		shown: '0.01',
		help: 'Nodes tainted per second in an unhealthy zone; 0 in a small one.',
	},
	'large-cluster-size-threshold': {
		type: 'string',
		shown: '50',
		help: 'Size up to which an unhealthy zone counts as small.',
	},
	'unhealthy-zone-threshold': {
		type: 'string',
		shown: '0.55',
		help: 'Share of not ready nodes from which a zone is unhealthy, at least 3 nodes.',
	},
	'kube-api-qps': {type: 'string', shown: '20', help: "The controllers' calls per second to the API server."},
	'kube-api-burst': {type: 'string', shown: '30', help: "The controllers' burst of calls to the API server."},
} as const satisfies FlagTable;

/** Every flag. */
export const allFlags = {...outputFlags, ...connectionFlags, ...controllerFlags} as const satisfies FlagTable;
