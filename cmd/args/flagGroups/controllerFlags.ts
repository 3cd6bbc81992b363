import {text} from '../flagSpec.ts';

/** The settings of the controllers, under kube-controller-manager's flag names. */
export const controllerFlags = {
	'kubernetes-version': text('Follow the rules and defaults of this version.'),
	'node-monitor-period': text('How often the controller looks at the nodes.', {shown: '5s'}),
	'node-startup-grace-period': text('How long a starting node may be silent before it is unhealthy.', {
		shown: '1m0s',
	}),
	'node-monitor-grace-period': text(
		'How long a running node may be silent before it is unhealthy (40s before 1.32).',
		{shown: '50s'},
	),
	'pod-eviction-timeout': text(
		'How long a node is silent until its pods are deleted, where nodes are not tainted (until 1.26).',
		{shown: '5m0s'},
	),
	'enable-taint-manager': text(
		'Whether taints evict pods; false deletes those of silent nodes after --pod-eviction-timeout (until 1.26).',
		{optionalValue: /^$/, shown: 'true'},
	),
	controllers: text(
		"Which controllers run; '-taint-eviction-controller' lets pods stay on tainted nodes (from 1.29 on).",
		{isMultiple: true, shown: '*'},
	),
	'feature-gates': text(
		'Feature gates of kube-controller-manager, as in TaintBasedEvictions=false (until 1.17).',
		{isMultiple: true},
	),
	'node-eviction-rate': text('Nodes tainted per second in a healthy zone.', {shown: '0.1'}),
	'secondary-node-eviction-rate': text('Nodes tainted per second in an unhealthy zone; 0 in a small one.', {
		shown: '0.01',
	}),
	'large-cluster-size-threshold': text('Size up to which an unhealthy zone counts as small.', {shown: '50'}),
	'unhealthy-zone-threshold': text(
		'Share of not ready nodes from which a zone is unhealthy, at least 3 nodes.',
		{shown: '0.55'},
	),
	'kube-api-qps': text("The controllers' calls per second to the API server.", {shown: '20'}),
	'kube-api-burst': text("The controllers' burst of calls to the API server.", {shown: '30'}),
};
