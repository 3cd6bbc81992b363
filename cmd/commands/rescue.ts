import {rescueColumns} from '../../src/print/legend.ts';
import {controllerFlags} from '../args/flagGroups/controllerFlags.ts';
import {outputFlags} from '../args/flagGroups/outputFlags.ts';
import {ofAllNamespaces, scopeFlags} from '../args/flagGroups/scopeFlags.ts';
import {fileFlags} from '../args/flagGroups/sourceFlags.ts';
import {structuredOutputs} from '../args/outputFormat.ts';
import type {Command} from './command.ts';
import {podFields} from './pods.ts';

export const rescue = {
	aliases: [],
	summary: 'Show how to save pods from eviction, and until when',
	description: [
		'It simulates what could be done, and prints the commands; it runs none of them.',
		ofAllNamespaces,
	],
	usage: ['[(pod|node|WORKLOAD)/NAME...] [-n NAMESPACE]'],
	examples: [
		['Show by when each node must recover', 'rescue'],
		['Show every way to save one pod, as commands', 'rescue pod/cart-0 -n shop'],
		['Show until when the pods of a Deployment can be saved', 'rescue deployment/web -n shop'],
	],
	outputs: [...structuredOutputs, 'wide'],
	schemas: ['rescue'],
	legends: [['Columns', rescueColumns]],
	flags: {...scopeFlags, ...outputFlags, ...fileFlags, ...controllerFlags},
	completes: 'targets',
	selectableFields: podFields,
	run: async (options, terminal) => (await import('../questions/rescueAction.ts')).rescue(options, terminal),
} as const satisfies Command;
