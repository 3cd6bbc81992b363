import type {FlagTable} from './flagTable.ts';

const of = ['what-if'] as const;
const nodeFlag = {type: 'string', isMultiple: true, of} as const;

/** What may be supposed, each with an optional time: `n1@+2m`, `n1@2026-01-31T14:07:31Z`; now where there is none. */
export const whatIfFlags = {
	'node-down': {
		...nodeFlag,
		help: 'With what-if: NODE[@TIME] falls silent. TIME is +2m, or an instant (RFC 3339).',
	},
	'node-back': {...nodeFlag, help: 'With what-if: the kubelet of NODE[@TIME] is back.'},
	'zone-down': {...nodeFlag, help: 'With what-if: all nodes of ZONE[@TIME] fall silent.'},
	'zone-back': {...nodeFlag, help: 'With what-if: all nodes of ZONE[@TIME] are back.'},
	taint: {...nodeFlag, help: 'With what-if: NODE=KEY[=VALUE]:EFFECT[@TIME] is tainted.'},
	untaint: {...nodeFlag, help: 'With what-if: the taint NODE=KEY[:EFFECT][@TIME] is taken off.'},
	'out-of-service': {
		...nodeFlag,
		help: 'With what-if: NODE[@TIME] is tainted node.kubernetes.io/out-of-service=nodeshutdown:NoExecute.',
	},
	cordon: {...nodeFlag, help: 'With what-if: NODE[@TIME] is cordoned.'},
	'delete-node': {...nodeFlag, help: 'With what-if: the Node object NODE[@TIME] is deleted.'},
	'controller-down': {
		...nodeFlag,
		optionalValue: /^@?\+\d|^@?\d{4}-/,
		help: 'With what-if: no kube-controller-manager runs from [TIME] on.',
	},
	'controller-restart': {
		...nodeFlag,
		optionalValue: /^@?\+\d|^@?\d{4}-/,
		help: 'With what-if: a new kube-controller-manager begins at [TIME], with no memory of before.',
	},
	toleration: {
		...nodeFlag,
		help: 'With what-if: [NAMESPACE/]POD=SECONDS[@TIME] tolerates a lost node so long; POD=forever for ever.',
	},
	set: {
		...nodeFlag,
		help: 'With what-if: kube-controller-manager is started anew with FLAG=VALUE[@TIME].',
	},
	'how-many-more': {
		type: 'boolean',
		of,
		help: 'With what-if: show how many further nodes each zone can lose until it slows down, stops, or everything does.',
	},
	'buy-time': {
		type: 'string',
		of,
		help: 'With what-if: show what would keep this pod ([NAMESPACE/]POD), and until when.',
	},
} as const satisfies FlagTable;
