import {connectionFlags} from '../args/flagGroups/connection.ts';
import {optionsSection} from '../args/helpText.ts';
import type {Command} from './command.ts';

/** The flags that every command takes. */
export const options = {
	aliases: [],
	summary: 'Show the flags that every command takes',
	usage: [''],
	examples: [],
	outputs: [],
	flags: {},
	async run(_, terminal) {
		const title = 'The following options can be passed to any command';
		await terminal.print(`${optionsSection(title, connectionFlags)}\n`);
		return 0;
	},
} as const satisfies Command;
