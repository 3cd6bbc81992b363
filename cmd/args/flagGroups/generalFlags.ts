import type {FlagTable} from '../flagSpec.ts';

export const generalFlags = {
	'time-zone': {
		type: 'string',
		completes: 'timeZones',
		help: 'Time zone of tables and texts, and of times given without an offset: local, utc, or Area/City (Europe/Berlin). Default: local on a terminal where TZ is set, else utc. JSON and YAML are always in UTC.',
	},
	help: {type: 'boolean', shortFlag: 'h', help: 'Show this help.'},
} as const satisfies FlagTable;

export const programFlags = {
	version: {type: 'boolean', help: 'Show the version of evictwatch.'},
} as const satisfies FlagTable;
