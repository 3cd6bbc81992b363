import type {CommandSpec} from '../args/commandSpec.ts';

/** The flags that every command takes. */
export const options: CommandSpec = {
	aliases: [],
	summary: 'Show the flags that every command takes',
	usage: [''],
	examples: [],
	outputs: [],
	flags: {},
};
