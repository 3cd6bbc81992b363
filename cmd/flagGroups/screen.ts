import type {FlagTable} from '../flagSpec.ts';

/** How the dashboard looks. */
export const screenFlags = {
	'no-alt-screen': {
		type: 'boolean',
		help: 'Draw the dashboard below the prompt, and leave its last picture there.',
	},
	theme: {
		type: 'string',
		completes: ['dark', 'light', 'high-contrast'],
		help: 'Colours of the dashboard: dark, light or high-contrast.',
	},
} as const satisfies FlagTable;
