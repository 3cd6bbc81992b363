import {connectionFlags} from '../args/flagGroups/connectionFlags.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {generalFlags, programFlags} from '../args/flagGroups/generalFlags.ts';
import {screenFlags} from '../args/flagGroups/screenFlags.ts';
import {optionsSection} from '../args/helpText.ts';
import type {Command} from './command.ts';

export const options = {
	aliases: [],
	summary: 'Show the flags that every command takes',
	usage: [''],
	examples: [],
	outputs: [],
	flags: {},
	async run(_, terminal) {
		const sections = [
			optionsSection('The following options can be passed to any command', {
				...generalFlags,
				...connectionFlags,
			}),
			optionsSection(
				'Flags of the controllers, for commands that predict (found out where possible; a flag wins)',
				controllerFlags,
			),
			optionsSection('The dashboard takes these as well', {...screenFlags, ...programFlags}),
		];
		await terminal.print(`${sections.join('\n\n')}\n`);
		return 0;
	},
} as const satisfies Command;
