import type {CommandSpec} from '../args/commandSpec.ts';
import {controllerFlags} from '../args/flagGroups/controller.ts';
import {playingFlags, screenFlags} from '../args/flagGroups/screen.ts';
import type {FlagTable} from '../args/flagSpec.ts';

/** What only `demo` takes. */
export const demoFlags = {
	serve: {
		type: 'string',
		optionalValue: /^\d+$/,
		help: 'Only serve the API of the simulated cluster, on this port of loopback.',
	},
	list: {type: 'boolean', help: 'List the scenarios.'},
} as const satisfies FlagTable;

/** A simulated outage. */
export const demo: CommandSpec = {
	aliases: [],
	summary: 'Play a simulated outage; no cluster is needed',
	usage: ['[SCENARIO] [--speed N]', '[SCENARIO] --serve [PORT]', '--list'],
	examples: [['Serve the API of a simulated cluster on loopback', 'demo node-dies --serve 8001']],
	outputs: [],
	flags: {...demoFlags, ...playingFlags, ...screenFlags, ...controllerFlags},
	completes: 'scenarios',
};
