import type {CommandSpec} from '../args/commandSpec.ts';
import {screenFlags} from '../args/flagGroups/screen.ts';
import {pods} from './pods.ts';

/** What runs where no command is named. */
export const dashboard: CommandSpec = {
	...pods,
	aliases: [],
	summary: 'Predict which pods an outage evicts next, when, and why',
	usage: ['[COMMAND] [NAME...] [flags]'],
	examples: [],
	flags: {...pods.flags, ...screenFlags},
	completes: 'commands',
};
