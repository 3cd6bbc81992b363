import {controllerFlags} from '../args/flagGroups/controller.ts';
import {fileFlags, ofAllNamespaces, outputFlags, scopeFlags} from '../args/flagGroups/listing.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';
import {podFields} from './pods.ts';

/** Until when pods can be saved. */
export const rescue = {
	aliases: [],
	summary: 'Show how to save pods from eviction, and until when',
	description: ['It plays what could be done, and says so; it does nothing itself.', ofAllNamespaces],
	usage: ['[(pod|node|WORKLOAD)/NAME...] [-n NAMESPACE]'],
	examples: [
		['Show the last moment at which each node must be back', 'rescue'],
		['Show all that would save one pod, as commands to type', 'rescue pod/cart-0 -n shop'],
		['Show until when the pods of a Deployment can be saved', 'rescue deployment/web -n shop'],
	],
	outputs: structuredOutputs,
	schemas: ['rescue'],
	flags: {...scopeFlags, ...outputFlags, ...fileFlags, ...controllerFlags},
	completes: 'targets',
	selectableFields: podFields,
	async run(options, terminal) {
		const {rescue} = await import('../questions/rescue.ts');
		return rescue(options, terminal);
	},
} as const satisfies Command;
