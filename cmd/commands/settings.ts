import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags, tableFlags} from '../args/flagGroups/outputFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import type {FlagTable} from '../args/flagSpec.ts';
import type {Options} from '../args/options.ts';
import {listOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

const own = {
	check: {
		type: 'boolean',
		help: 'Show how long each step until a deletion takes, and which settings are risky.',
	},
	kubelet: {
		type: 'string',
		completes: 'nodes',
		help: 'Query the kubelet of this node for its configuration (needs the right to get nodes/proxy).',
	},
	want: {
		type: 'string',
		help: 'Show what to set so that pods are deleted this long after a node falls silent (60s, 2m).',
	},
} as const satisfies FlagTable;

/** The controllers' settings. */
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
	flags: {...own, ...outputFlags, ...tableFlags, ...fileFlags, ...controllerFlags},
	completes: 'settings',
	async run(options: Options<typeof own>, terminal) {
		const {showSettings} = await import('../questions/settingsAction.ts');
		return showSettings(options, terminal);
	},
} as const satisfies Command;
