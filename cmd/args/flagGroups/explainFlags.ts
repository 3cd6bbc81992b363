import type {FlagTable} from '../flagSpec.ts';

export const explainFlags = {
	full: {
		type: 'boolean',
		help: 'Show the rule behind each step, the evidence for it, and what is assumed (as -v does).',
	},
} as const satisfies FlagTable;
