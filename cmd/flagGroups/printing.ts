import type {FlagTable} from '../flagSpec.ts';

/** The form of what is printed. Which forms a command has stands in its `outputs`, and so does the help. */
export const outputFlag = {
	output: {type: 'string', shortFlag: 'o', completes: 'outputs', help: 'Output format.'},
} as const satisfies FlagTable;

/** How tables are printed. */
export const tableFlags = {
	'no-headers': {type: 'boolean', help: "Don't print headers."},
} as const satisfies FlagTable;
