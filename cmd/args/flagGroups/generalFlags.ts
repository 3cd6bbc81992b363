import type {FlagTable} from '../flagSpec.ts';

/** Flags of every command. */
export const generalFlags = {
	'time-zone': {
		type: 'string',
		completes: 'timeZones',
		help: 'Time zone of tables and texts, and of times given without an offset: local, utc, or Area/City (Europe/Berlin). Default: local on a terminal where TZ is set, else utc. JSON and YAML are always in UTC.',
	},
	help: {type: 'boolean', shortFlag: 'h', help: 'Show this help.'},
} as const satisfies FlagTable;

/** Flags of the program without a command. */
export const programFlags = {
	version: {type: 'boolean', help: 'Show the version of evictwatch.'},
} as const satisfies FlagTable;

/** The detail of an explanation. */
export const explainFlags = {
	full: {
		type: 'boolean',
		help: 'Show the rule behind each step, the evidence for it, and what is assumed (as -v does).',
	},
} as const satisfies FlagTable;

/** What `settings` shows beside the list. */
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
