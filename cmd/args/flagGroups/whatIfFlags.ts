import {text, toggle} from '../flagSpec.ts';

const many = {isMultiple: true} as const;
const nodes = {...many, completes: 'nodes'} as const;
const zones = {...many, completes: 'zones'} as const;
const perhapsTimed = {...many, optionalValue: /^@?\+\d|^@?\d{4}-/} as const;

/** Supposed changes, each with an optional time: `n1@+2m`, `n1@2026-01-31T14:07:31Z`; the default is now. */
export const whatIfFlags = {
	'node-down': text(
		'NODE[@TIME] falls silent; separate several by commas. TIME is +2m, or RFC 3339; now without it.',
		nodes,
	),
	'node-back': text('The kubelet of NODE[@TIME] is back.', nodes),
	'zone-down': text('All nodes of ZONE[@TIME] fall silent.', zones),
	'zone-back': text('All nodes of ZONE[@TIME] are back.', zones),
	taint: text('NODE=KEY[=VALUE]:EFFECT[@TIME] is tainted.', nodes),
	untaint: text('The taint NODE=KEY[:EFFECT][@TIME] is removed.', nodes),
	'device-taint': text(
		'The device DRIVER/POOL/DEVICE[=KEY[=VALUE]][@TIME] gets a taint with the effect NoExecute.',
		{...many, completes: 'devices'},
	),
	'out-of-service': text(
		'NODE[@TIME] is tainted node.kubernetes.io/out-of-service=nodeshutdown:NoExecute.',
		nodes,
	),
	cordon: text('NODE[@TIME] is cordoned.', nodes),
	'delete-node': text('The Node object NODE[@TIME] is deleted.', nodes),
	'controller-down': text('No kube-controller-manager runs from [TIME] on.', perhapsTimed),
	'controller-restart': text(
		'A new kube-controller-manager starts at [TIME]; it remembers nothing of before.',
		perhapsTimed,
	),
	toleration: text(
		'[NAMESPACE/]POD=SECONDS[@TIME] tolerates a lost node for this many seconds; POD=forever has no limit.',
		{...many, completes: 'pods'},
	),
	set: text('kube-controller-manager restarts with FLAG=VALUE[@TIME].', many),
	'how-many-more': toggle(
		'Show how many more nodes each zone can lose before its evictions slow down or stop, or all evictions stop.',
	),
	drain: text(
		'What kubectl drain NODE --ignore-daemonsets would do now, to all pods; several, separated by commas, are drained in this order.',
		nodes,
	),
	'each-node': toggle(
		'Show what the loss of each node would do now, one at a time, the worst first. A dump needs nodes,leases,pods,deploy,rs,sts,ds,jobs,pdb.',
	),
	'each-zone': toggle('Show the same of each zone.'),
};
