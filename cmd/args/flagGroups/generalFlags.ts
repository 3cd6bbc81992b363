import type {FlagTable} from '../flagSpec.ts';

/** What every command takes. */
export const generalFlags = {
	'time-zone': {
		type: 'string',
		completes: 'timeZones',
		help: 'Time zone of tables and texts, and of times given without an offset: local, utc, or Area/City (Europe/Berlin). Default: local on a terminal where TZ is set, else utc. JSON and YAML are always in UTC.',
	},
	help: {type: 'boolean', shortFlag: 'h', help: 'Show this help.'},
} as const satisfies FlagTable;

/** What stands in for a command. */
export const programFlags = {
	version: {type: 'boolean', help: 'Show the version of evictwatch.'},
} as const satisfies FlagTable;

/** Which clusters are asked: none but these is contacted. */
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

/** How much an explanation tells. */
export const explainFlags = {
	full: {
		type: 'boolean',
		help: 'Show the rule behind each step, the evidence for it, and what is assumed (as -v does).',
	},
} as const satisfies FlagTable;

/** How what is not live is played. */
export const playingFlags = {
	speed: {type: 'string', help: 'Seconds of the outage that pass in one real second.'},
} as const satisfies FlagTable;

/** How the dashboard looks. */
export const screenFlags = {
	'no-alt-screen': {
		type: 'boolean',
		help: 'Draw the dashboard below the prompt, and leave its last screen there.',
	},
	theme: {
		type: 'string',
		choices: ['dark', 'light', 'high-contrast'],
		help: 'Colours of the dashboard: dark, light or high-contrast.',
	},
} as const satisfies FlagTable;
