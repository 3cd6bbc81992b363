import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags, tableFlags} from '../args/flagGroups/outputFlags.ts';
import {settingsFlags} from '../args/flagGroups/settingsFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import type {Options} from '../args/options.ts';
import {listOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

export const settings = {
	aliases: ['setting'],
	summary: "Show the controllers' settings and where each comes from",
	usage: ['[NAME...]', '--check [--want DURATION]'],
	examples: [
		[
			'Show where each setting comes from, and what the behaviour of the controllers shows',
			'settings -o wide',
		],
		[
			'Show how long a deletion takes, and what to set to get it within two minutes',
			'settings --check --want 2m',
		],
	],
	outputs: listOutputs,
	schemas: ['setting-list', 'settings-check'],
	flags: {...settingsFlags, ...outputFlags, ...tableFlags, ...fileFlags, ...controllerFlags},
	completes: 'settings',
	async run(options: Options<typeof settingsFlags>, terminal) {
		const {showSettings} = await import('../questions/settingsAction.ts');
		return showSettings(options, terminal);
	},
} as const satisfies Command;
