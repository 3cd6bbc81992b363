import type {CommandSpec} from '../args/commandSpec.ts';

/** Help in words. */
export const help: CommandSpec = {
	aliases: [],
	summary: 'Show this help, or that of one command',
	usage: ['[COMMAND]'],
	examples: [],
	outputs: [],
	flags: {},
	completes: 'commands',
};
