import type {FlagTable} from '../flagSpec.ts';

const supposed = {type: 'string', isMultiple: true} as const;
const ofNode = {...supposed, completes: 'nodes'} as const;
const ofZone = {...supposed, completes: 'zones'} as const;
const ofPod = {...supposed, completes: 'pods'} as const;

/** Supposed changes, each with an optional time: `n1@+2m`, `n1@2026-01-31T14:07:31Z`; the default is now. */
export const whatIfFlags = {
	'node-down': {
		...ofNode,
		help: 'NODE[@TIME] falls silent; separate several by commas. TIME is +2m, or RFC 3339; now without it.',
	},
	'node-back': {...ofNode, help: 'The kubelet of NODE[@TIME] is back.'},
	'zone-down': {...ofZone, help: 'All nodes of ZONE[@TIME] fall silent.'},
	'zone-back': {...ofZone, help: 'All nodes of ZONE[@TIME] are back.'},
	taint: {...ofNode, help: 'NODE=KEY[=VALUE]:EFFECT[@TIME] is tainted.'},
	untaint: {...ofNode, help: 'The taint NODE=KEY[:EFFECT][@TIME] is removed.'},
	'device-taint': {
		...supposed,
		completes: 'devices',
		help: 'The device DRIVER/POOL/DEVICE[=KEY[=VALUE]][@TIME] gets a taint with the effect NoExecute.',
	},
	'out-of-service': {
		...ofNode,
		help: 'NODE[@TIME] is tainted node.kubernetes.io/out-of-service=nodeshutdown:NoExecute.',
	},
	cordon: {...ofNode, help: 'NODE[@TIME] is cordoned.'},
	'delete-node': {...ofNode, help: 'The Node object NODE[@TIME] is deleted.'},
	'controller-down': {
		...supposed,
		optionalValue: /^@?\+\d|^@?\d{4}-/,
		help: 'No kube-controller-manager runs from [TIME] on.',
	},
	'controller-restart': {
		...supposed,
		optionalValue: /^@?\+\d|^@?\d{4}-/,
		help: 'A new kube-controller-manager starts at [TIME]; it remembers nothing of before.',
	},
	toleration: {
		...ofPod,
		help: '[NAMESPACE/]POD=SECONDS[@TIME] tolerates a lost node for this many seconds; POD=forever has no limit.',
	},
	set: {
		...supposed,
		help: 'kube-controller-manager restarts with FLAG=VALUE[@TIME].',
	},
	pressure: {
		...ofNode,
		help: 'NODE=SIGNAL=AMOUNT: NODE has only this much left, as in n1=memory.available=50Mi. Shows which pods its kubelet evicts.',
	},
	'how-many-more': {
		type: 'boolean',
		help: 'Show how many more nodes each zone can lose before its evictions slow down or stop, or all evictions stop.',
	},
	'buy-time': {
		type: 'string',
		completes: 'pods',
		help: 'Show what would save this pod ([NAMESPACE/]POD), and until when, as rescue does.',
	},
} as const satisfies FlagTable;
