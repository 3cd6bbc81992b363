import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags, tableFlags} from '../args/flagGroups/outputFlags.ts';
import {shadowFlags} from '../args/flagGroups/shadowFlags.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';

export const shadow = {
	aliases: [],
	summary: 'Watch all year whether the controllers do what is predicted',
	description: [
		'It prints a line each time the controllers of the cluster act too early, too late, not at all, or unpredicted,',
		'with the likely reason, and a line when that is over. If the flags of the controller manager cannot be read,',
		'pass them here: the controllers are compared with them. It changes nothing in the cluster.',
	],
	usage: ['[-o json]'],
	examples: [
		['Report where the controllers deviate, until ctrl-c', 'shadow'],
		[
			'The same as JSON, one document each, in a cluster with other settings',
			'shadow -o json --node-eviction-rate=0.5',
		],
		[
			'Serve a status page, metrics and health checks, and log as JSON',
			'shadow --listen 127.0.0.1:8080 --log-format json',
		],
	],
	outputs: structuredOutputs,
	schemas: ['divergence'],
	flags: {...shadowFlags, ...outputFlags, ...tableFlags, ...controllerFlags},
	run: async (options, terminal) => (await import('../shadow/followShadow.ts')).shadow(options, terminal),
} as const satisfies Command;
