import type {FlagTable} from '../flagSpec.ts';

/** What every command takes. */
export const generalFlags = {
	help: {type: 'boolean', shortFlag: 'h', help: 'Show this help.'},
} as const satisfies FlagTable;

/** What stands in for a command. */
export const programFlags = {
	version: {type: 'boolean', help: 'Show the version of evictwatch.'},
} as const satisfies FlagTable;
