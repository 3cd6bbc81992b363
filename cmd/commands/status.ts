import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags} from '../args/flagGroups/outputFlags.ts';
import {ofAllNamespaces, scopeFlags} from '../args/flagGroups/scopeFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import {usageError} from '../args/usageError.ts';
import type {Command} from './command.ts';
import {podFields} from './pods.ts';

export const status = {
	aliases: ['summary'],
	summary: 'Show the outage on one page: what is next, what stops it, when it ends',
	description: [
		ofAllNamespaces,
		'It looks once. To go on watching, open the dashboard ("kubectl evictwatch"), or run "pods -A -w".',
	],
	usage: ['[-n NAMESPACE] [-l SELECTOR]'],
	examples: [['Show what an outage does to the whole cluster', 'status']],
	outputs: structuredOutputs,
	schemas: ['status'],
	flags: {...scopeFlags, ...outputFlags, ...fileFlags, ...controllerFlags},
	selectableFields: podFields,
	async run(options, terminal) {
		if (options.names.length > 0)
			throw usageError('status takes no arguments: choose pods with -n and -l, or ask: workloads KIND/NAME');
		const {status} = await import('../questions/statusAction.ts');
		return status(options, terminal);
	},
} as const satisfies Command;
