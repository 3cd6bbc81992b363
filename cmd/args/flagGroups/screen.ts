import type {FlagTable} from '../flagSpec.ts';

/** How what is not live is played. */
export const playingFlags = {
	speed: {type: 'string', help: 'How many seconds pass in a real one.'},
} as const satisfies FlagTable;

/** How the dashboard looks. */
export const screenFlags = {
	'no-alt-screen': {
		type: 'boolean',
		help: 'Draw the dashboard below the prompt, and leave its last picture there.',
	},
	theme: {
		type: 'string',
		choices: ['dark', 'light', 'high-contrast'],
		help: 'Colours of the dashboard: dark, light or high-contrast.',
	},
} as const satisfies FlagTable;
