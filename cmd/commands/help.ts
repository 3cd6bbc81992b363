import type {Command} from './command.ts';

export const help = {
	aliases: [],
	summary: 'Show this help, or that of one command',
	usage: ['[COMMAND]'],
	examples: [],
	outputs: [],
	flags: {},
	completes: 'commands',
	async run({help: text}, terminal) {
		await terminal.print(text);
		return 0;
	},
} as const satisfies Command;
