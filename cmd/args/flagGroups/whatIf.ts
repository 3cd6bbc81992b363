import type {FlagTable} from '../flagSpec.ts';

const supposed = {type: 'string', isMultiple: true} as const;
const ofNode = {...supposed, completes: 'nodes'} as const;
const ofZone = {...supposed, completes: 'zones'} as const;
const ofPod = {...supposed, completes: 'pods'} as const;

/** What may be supposed, each with an optional time: `n1@+2m`, `n1@2026-01-31T14:07:31Z`; now where there is none. */
export const whatIfFlags = {
	'node-down': {
		...ofNode,
		help: 'NODE[@TIME] falls silent; several are parted by commas. TIME is +2m, or an instant (RFC 3339).',
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
		help: 'A new kube-controller-manager begins at [TIME], with no memory of before.',
	},
	toleration: {
		...ofPod,
		help: '[NAMESPACE/]POD=SECONDS[@TIME] tolerates a lost node for so many seconds; POD=forever without end.',
	},
	set: {
		...supposed,
		help: 'A kube-controller-manager is started anew with FLAG=VALUE[@TIME].',
	},
	pressure: {
		...ofNode,
		help: 'NODE=SIGNAL=AMOUNT: so much is left of what NODE has, as in n1=memory.available=50Mi. Ranks whom its kubelet evicts.',
	},
	'how-many-more': {
		type: 'boolean',
		help: 'Show how many further nodes each zone can lose until it slows down, stops, or everything does.',
	},
	'buy-time': {
		type: 'string',
		completes: 'pods',
		help: 'Show what would keep this pod ([NAMESPACE/]POD), and until when.',
	},
} as const satisfies FlagTable;
