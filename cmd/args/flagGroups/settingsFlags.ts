import type {FlagTable} from '../flagSpec.ts';

export const settingsFlags = {
	check: {
		type: 'boolean',
		help: 'Show how long each step until a deletion takes, and which settings are risky.',
	},
	kubelet: {
		type: 'string',
		completes: 'nodes',
		help: 'Query the kubelet of this node for its configuration (needs the right to get nodes/proxy).',
	},
	want: {
		type: 'string',
		help: 'Show what to set so that pods are deleted this long after a node falls silent (60s, 2m).',
	},
} as const satisfies FlagTable;
