import type {FlagTable} from '../flagSpec.ts';

export const playingFlags = {
	speed: {type: 'string', help: 'Seconds of the outage that pass in one real second.'},
} as const satisfies FlagTable;

export const screenFlags = {
	'no-alt-screen': {
		type: 'boolean',
		help: 'Draw the dashboard below the prompt, and leave its last screen there.',
	},
	theme: {
		type: 'string',
		choices: ['dark', 'light', 'high-contrast'],
		help: 'Colours of the dashboard: dark, light or high-contrast; by default dark or light, as the terminal.',
	},
} as const satisfies FlagTable;
