import type {FlagTable} from '../flagSpec.ts';

/** The settings of the controllers, under kube-controller-manager's flag names. */
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
	'pod-eviction-timeout': {
		type: 'string',
		shown: '5m0s',
		help: 'How long a node is silent until its pods are deleted, where nodes are not tainted (until 1.26).',
	},
	'enable-taint-manager': {
		type: 'string',
		optionalValue: /^$/,
		shown: 'true',
		help: 'Whether taints evict pods; false deletes those of silent nodes after --pod-eviction-timeout (until 1.26).',
	},
	controllers: {
		type: 'string',
		isMultiple: true,
		shown: '*',
		help: "Which controllers run; '-taint-eviction-controller' lets pods stay on tainted nodes (from 1.29 on).",
	},
	'feature-gates': {
		type: 'string',
		isMultiple: true,
		help: 'Feature gates of kube-controller-manager, as in TaintBasedEvictions=false (until 1.17).',
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
